/** A small site with a form in steps, on SQLite, that can be restarted. Its log-in needs no password. */
import { join } from 'node:path';
import { defineForm, formTitle, html, localPath } from 'seeother';
import { createStores } from 'seeother/database';
import { checkboxField, fileField, moneyField, textField } from 'seeother/fields';
import { openSqlite } from 'seeother/sqlite';
import { stepPages, steps } from 'seeother/steps';
import {
  createSiteWithLogIn,
  openRestartable,
  type RestartableSite,
  styledPage,
} from './serve-site.ts';

const contactForm = defineForm({
  name: textField({ label: 'Your name', required: 'Enter your name', maxLength: 80 }),
});
const roomForm = defineForm({
  room: textField({ label: 'Room', required: 'Enter a room', maxLength: 80 }),
  board: checkboxField({ label: 'Breakfast' }),
});
const extrasForm = defineForm({
  deposit: moneyField({ label: 'Deposit', currency: 'EUR', default: 50_00 }),
  photo: fileField({ label: 'Photo', maxSize: 10_000 }),
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
  })
  .step('extras', extrasForm, { title: 'Extras' });

export interface BookingsSite extends RestartableSite {
  readonly bookings: () => Promise<readonly string[]>;
}

export async function openBookings(): Promise<BookingsSite> {
  const site = await openRestartable(async (folder) => {
    const database = await openSqlite(join(folder, 'bookings.db'), {
      migrate: async ({ run }) => {
        await run('create table if not exists bookings (text text not null)');
      },
    });
    const site = createSiteWithLogIn(createStores(database), '/book');
    stepPages(site, '/book', booking, {
      button: 'Book',
      show: ({ title, position, overview, form, formHtml }) =>
        styledPage(
          formTitle(title, form),
          html`<h1>${title}</h1>${overview}<p>${position}</p>${formHtml}`,
        ),
      async send({ answers: { contact, room, meals }, transaction }) {
        const text = `${contact.name}: ${room.room}, ${meals?.meal ?? 'no breakfast'}`;
        await transaction.run('insert into bookings values (?)', [text]);
        return { path: localPath('/'), message: `Booked for ${contact.name}.` };
      },
    });
    return { database, site };
  });
  return {
    ...site,
    async bookings() {
      const { read } = site.database();
      const { rows } = await read.run<{ text: string }>('select text from bookings', []);
      return rows.map(({ text }) => text);
    },
  };
}
