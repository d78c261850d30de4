/** A small site with a form in steps, on SQLite, that can be restarted. Its log-in needs no password. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  type Context,
  createFormHandlers,
  createSite,
  defineForm,
  endSession,
  formTitle,
  type Html,
  html,
  localPath,
  page,
  parseDraft,
  readDraft,
  type SiteContext,
  seeOther,
  serializeDraft,
  startSession,
  withSession,
} from 'seeother';
import { createStores } from 'seeother/database';
import { checkboxField, hiddenField, textField } from 'seeother/fields';
import { serve } from 'seeother/node';
import { openSqlite } from 'seeother/sqlite';
import { stepPages, steps } from 'seeother/steps';
import type { Site } from './open-site.ts';

const contactForm = defineForm({
  name: textField({ label: 'Your name', required: 'Enter your name', maxLength: 80 }),
});
const roomForm = defineForm({
  room: textField({ label: 'Room', required: 'Enter a room', maxLength: 80 }),
  board: checkboxField({ label: 'Breakfast' }),
});
const mealForm = (room: string) =>
  defineForm({
    meal: textField({ label: `Breakfast in the ${room}`, required: 'Enter a meal', maxLength: 9 }),
  });

const booking = steps()
  .step('contact', contactForm, { title: 'Your details' })
  .step('room', roomForm, { title: 'Room' })
  .step('meals', ({ room }) => mealForm(room.room), {
    title: 'Meals',
    when: ({ room }) => room.board,
  });

const logInForm = defineForm({ draft: hiddenField() });

const logInPage = (draft: string): Html =>
  frame(
    'Log in',
    html`<form method="post" action="/login"><input type="hidden" name="draft" value="${draft}"><button>Log in</button></form>`,
  );

function frame(title: string, main: Html): Html {
  return html`<!doctype html><html lang="en"><meta name="viewport" content="width=device-width">
<title>${title}</title><main><h1>${title}</h1>${main}</main></html>`;
}

export interface BookingsSite extends Site {
  readonly bookings: () => Promise<readonly string[]>;
  readonly restart: () => Promise<void>;
}

export async function openBookings(): Promise<BookingsSite> {
  const folder = mkdtempSync(join(tmpdir(), 'bookings-'));
  const start = async (port: number) => {
    const database = await openSqlite(join(folder, 'bookings.db'), {
      migrate: async ({ run }) => {
        await run('create table if not exists bookings (text text not null)');
      },
    });
    const formHandlers = createFormHandlers<SiteContext<unknown>>();
    const logIn = formHandlers(logInForm, {
      name: 'logIn',
      once: false,
      show: () => logInPage(''),
      act({ values }) {
        const draft = parseDraft(values.draft);
        const path = localPath(draft?.path ?? '/book');
        return withSession(seeOther(path), startSession({ id: 1, name: 'ada' }, { draft }));
      },
    });
    const site = createSite(createStores(database), {
      log: false,
      errors: {
        report: () => {},
        page: async ({ status, title }, context: Context) => {
          const draft = status === 401 ? await readDraft(context) : null;
          return page(
            status === 401
              ? logInPage(draft === null ? '' : serializeDraft(draft))
              : frame(title, html``),
            status,
          );
        },
      },
    })
      .get('/login', logIn.show)
      .post('/login', ...logIn.post)
      .post('/logout', () => withSession(seeOther(localPath('/login')), endSession))
      .get('/', ({ flash }) =>
        page(
          frame(
            'Home',
            html`<p role="status">${flash}</p><form method="post" action="/logout"><button>Log out</button></form>`,
          ),
        ),
      );
    stepPages(site, '/book', booking, {
      button: 'Book',
      show: ({ title, position, form, formHtml }) =>
        frame(formTitle(title, form), html`<p>${position}</p>${formHtml}`),
      async send({ answers: { contact, room, meals }, transaction }) {
        const text = `${contact.name}: ${room.room}, ${meals?.meal ?? 'no breakfast'}`;
        await transaction.run('insert into bookings values (?)', [text]);
        return { path: localPath('/'), message: `Booked for ${contact.name}.` };
      },
    });
    return { database, server: await serve(site, { host: '127.0.0.1', port }) };
  };
  let { database, server } = await start(0);
  const { url } = server;
  const stop = async () => {
    await server.stop(0);
    await database.close();
  };
  return {
    url,
    log: () => '',
    async bookings() {
      const { rows } = await database.read.run<{ text: string }>('select text from bookings', []);
      return rows.map(({ text }) => text);
    },
    async restart() {
      await stop();
      ({ database, server } = await start(Number(new URL(url).port)));
    },
    async stop() {
      await stop();
      rmSync(folder, { recursive: true });
    },
  };
}
