/** A small site, in memory, on which one registers with a name, adds passkeys, and logs in with one. */
import { randomBytes } from 'node:crypto';
import {
  createMemoryStores,
  createSite,
  defineForm,
  endSession,
  type Html,
  html,
  loadFiles,
  localPath,
  page,
  type Request,
  readForm,
  readHostCookie,
  requireSession,
  seeOther,
  startSession,
  withFlash,
  withHostCookie,
  withSession,
} from 'seeother';
import { hiddenField } from 'seeother/fields';
import {
  type NewPasskey,
  type PasskeyQuestion,
  passkeyForm,
  passkeyScript,
  passkeys,
} from 'seeother/passkeys';
import type { Site } from './open-site.ts';
import { STYLES, serveSite, styledPage } from './serve-site.ts';

export interface PasskeysSite extends Site {
  /** The passkeys by their id. */
  readonly stored: Map<string, NewPasskey>;
  /** The answers that browsers have sent. */
  readonly sent: string[];
}

const answerForm = defineForm({ next: hiddenField(), response: hiddenField() });

export async function openPasskeys(): Promise<PasskeysSite> {
  const ada = { handle: randomBytes(32).toString('base64url'), name: 'ada' };
  const stored = new Map<string, NewPasskey>();
  const sent: string[] = [];
  const challenges = new Set<string>();
  const engine = passkeys({ name: 'Chess club' });
  // No IP address has passkeys. The server finds a free port when it starts.
  let origin = '';

  const ask = (request: Request, { challenge }: PasskeyQuestion, title: string, main: Html) => {
    challenges.add(challenge);
    const shown = page(styledPage(title, html`<h1>${title}</h1>${main}`));
    return withHostCookie(shown, request, { name: 'passkey', value: challenge, maxAge: 600 });
  };
  const takeChallenge = (request: Request) => {
    const [challenge = ''] = readHostCookie(request, 'passkey');
    return challenges.delete(challenge) ? challenge : '';
  };
  const refused = withFlash(seeOther(localPath('/login')), 'The passkey was not accepted');

  const stores = { ...createMemoryStores(), scripts: [passkeyScript] };
  const site = createSite(stores, { log: false, files: loadFiles(STYLES) })
    .get('/login', async (context) => {
      const { request, flash } = context;
      const question = await engine.toSignIn({ origin });
      const form = passkeyForm(context, {
        asks: 'sign-in',
        options: question.options,
        action: '/login/passkey',
        button: 'Log in with a passkey',
        fields: html`<input type="hidden" name="next" value="/?from=form">`,
        isConditional: true,
      });
      return ask(
        request,
        question,
        'Log in',
        html`<p role="status">${flash}</p>
<form method="post" action="/login"><label for="username">Username</label>
<input id="username" name="username" autocomplete="username webauthn"><button>Log in</button></form>${form}`,
      );
    })
    .post('/login', () =>
      withSession(seeOther(localPath('/')), startSession({ id: 1, name: 'ada' })),
    )
    .post('/login/passkey', readForm(answerForm), async ({ form, request }) => {
      const { next, response } = form.text;
      sent.push(response);
      const passkey = stored.get(engine.readClaim(response)?.id ?? '');
      const challenge = takeChallenge(request);
      if (passkey === undefined) return refused;
      const answer = { origin, challenge, response, stored: passkey, userHandle: ada.handle };
      const result = await engine.verifySignIn(answer);
      if (result === null) return refused;
      stored.set(passkey.id, { ...passkey, ...result });
      return withSession(seeOther(localPath(next)), startSession({ id: 1, name: 'ada' }));
    })
    .get('/', requireSession, async (context) => {
      const existing = [...stored.values()];
      const question = await engine.toAdd({ origin, user: ada, existing });
      const form = passkeyForm(context, {
        asks: 'add',
        options: question.options,
        action: '/passkeys',
        button: 'Add a passkey',
      });
      const count = html`<p id="count">Passkeys: ${stored.size}</p>`;
      const end = html`<form method="post" action="/logout"><button>Log out</button></form>`;
      return ask(context.request, question, 'Account', html`${count}${form}${end}`);
    })
    .post('/passkeys', requireSession, readForm(answerForm), async ({ form, request }) => {
      const { response } = form.text;
      sent.push(response);
      const challenge = takeChallenge(request);
      const made = await engine.verifyAdded({ origin, challenge, response });
      if (made === null || stored.has(made.id)) return refused;
      stored.set(made.id, made);
      return seeOther(localPath('/'));
    })
    .post('/logout', () => withSession(seeOther(localPath('/login')), endSession));

  const { url, ...served } = await serveSite(site);
  origin = url.replace('127.0.0.1', 'localhost');
  return { ...served, url: origin, stored, sent };
}
