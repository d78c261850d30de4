/**
 * A small site with one form, to which a story adds Turbo or htmx. It has no state beyond its process,
 * and nothing in its chain knows of the scripts: they get the same pages and redirects as browsers.
 */
import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import {
  blankForm,
  type Context,
  catchErrors,
  createMemoryReceiptStore,
  createMemorySessionStore,
  createRouter,
  defineForm,
  errorSummary,
  errorsOf,
  type FormAction,
  type FormContext,
  formField,
  formTitle,
  type Html,
  html,
  loadFiles,
  loadSession,
  localPath,
  logRequests,
  type NonceContext,
  type OnceContext,
  onceField,
  onlyOnce,
  page,
  readForm,
  refuse,
  refuseCrossOrigin,
  type SecurityPolicy,
  secureHeaders,
  serveFiles,
  statusOf,
  textField,
} from 'seeother';
import { serve } from 'seeother/node';
import { lintResponses } from 'seeother/testing';
import type { Site } from './open-site.ts';

/** What a site adds for its script. */
export interface Script {
  readonly policy: SecurityPolicy;
  /** The file of the script, which the site serves at `/` and its name. */
  readonly file: string;
  readonly head: (context: NonceContext) => Html;
  /** Attributes of the body and of the form, with a space before each. */
  readonly body?: Html;
  readonly form?: Html;
}

export interface NotesSite extends Site {
  /** Notes in the order in which they were added. */
  readonly notes: readonly string[];
  /** Delays all answers to valid forms until the returned function is called. */
  readonly hold: () => () => void;
}

const noteForm = defineForm({
  text: textField({ label: 'Note', required: 'Enter a note', maxLength: 100 }),
  author: textField({ label: 'Author', maxLength: 50 }),
});
type NoteFields = typeof noteForm.fields;

export async function openNotes(script: Script): Promise<NotesSite> {
  const folder = mkdtempSync(join(tmpdir(), 'seeother-'));
  cpSync(script.file, join(folder, basename(script.file)));
  const lines: string[] = [];
  const notes: string[] = [];
  let held: Promise<void> | null = null;

  const frame = (context: NonceContext, title: string, main: Html, status = 200) =>
    page(
      html`<!doctype html>
<html lang="en"><head><title>${title}</title>${script.head(context)}</head>
<body${script.body}><main>${main}</main></body></html>`,
      status,
    );

  const addNote: FormAction<NoteFields, OnceContext<null>> = async (context, next) => {
    const { validation, once } = context;
    if (!validation.valid) return next(refuse(context));
    const { text } = validation.values;
    const answer = await once(async () => localPath(`/notes/${notes.push(text)}`));
    await held;
    return answer;
  };

  function showForm<C extends Context & NonceContext & Partial<FormContext<NoteFields>>>(
    context: C,
  ) {
    const { form = blankForm(noteForm), validation } = context;
    const errors = errorsOf(validation);
    const main = html`<h1>Add a note</h1>${errorSummary(errors)}
<form method="post" action="/notes" novalidate${script.form}>${onceField(form)}
${formField(form, 'text', errors)}${formField(form, 'author', errors)}<button>Save</button></form>`;
    const { body, headers } = frame(context, formTitle('Add a note', errors), main);
    return { status: statusOf(context), headers, body };
  }

  const router = createRouter()
    .use(logRequests({ write: (line) => lines.push(line) }))
    .use(lintResponses)
    .use(secureHeaders({ policy: script.policy }))
    .use(
      catchErrors({
        page: ({ message, status }) => page(html`<h1>${message}</h1>`, status),
        report: ({ status, message }) => lines.push(`${status} ${message}`),
      }),
    )
    .use(serveFiles(loadFiles(folder)))
    .use(refuseCrossOrigin())
    .use(loadSession({ store: createMemorySessionStore() }))
    .get('/notes', (context) =>
      frame(
        context,
        'Notes',
        html`<h1>Notes</h1><p>There are ${notes.length} notes.</p><a href="/notes/new">Add a note</a>`,
      ),
    )
    .get('/notes/new', showForm)
    .post('/notes', readForm(noteForm), onlyOnce(createMemoryReceiptStore()), addNote, showForm)
    .get('/notes/:number<int>', (context) => {
      const { number } = context.params;
      const main = html`<h1>Note ${number}</h1><p>${notes[number - 1]}</p>
<a href="/notes">All notes</a>`;
      return frame(context, `Note ${number}`, main);
    });

  const server = await serve(router, { host: '127.0.0.1', port: 0 });
  return {
    url: server.url,
    notes,
    log: () => lines.join('\n'),
    hold() {
      const { promise, resolve } = Promise.withResolvers<void>();
      held = promise;
      return resolve;
    },
    async stop() {
      await server.stop(0);
      rmSync(folder, { recursive: true });
    },
  };
}
