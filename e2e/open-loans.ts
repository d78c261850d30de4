/**
 * A small site, on either engine, whose form searches in rows, depends on what is typed, and leads to another form and
 * back.
 */
import { join } from 'node:path';
import {
  defineForm,
  formPage,
  formTitle,
  html,
  localPath,
  requireSession,
  returnPath,
  valuesOf,
} from 'seeother';
import { type Connection, createStores, type Database } from 'seeother/database';
import { choiceField, textField, wholeNumberField } from 'seeother/fields';
import { openPostgres, parsePostgresUrl } from 'seeother/postgres';
import { openSqlite } from 'seeother/sqlite';
import { createBarePostgresDatabase } from '../application/testing/postgres/cluster.ts';
import {
  createSiteWithLogIn,
  openRestartable,
  type RestartableSite,
  styledPage,
} from './serve-site.ts';

const personForm = defineForm({
  name: textField({ label: 'Name', required: 'Enter a name', maxLength: 80 }),
});

interface Person {
  readonly id: number;
  readonly name: string;
}

export interface LoansSite extends RestartableSite {
  readonly loans: () => Promise<readonly string[]>;
  readonly remove: (name: string) => Promise<void>;
}

const migrate = async ({ run }: Connection) => {
  await run('create table if not exists people (id integer primary key, name text not null)');
  await run('create table if not exists loans (text text not null)');
  await run(
    "insert into people values (1, 'Ada'), (2, 'Alan'), (3, 'Grace') on conflict do nothing",
  );
};

export async function openLoansOnPostgres(): Promise<LoansSite> {
  const { url, drop } = await createBarePostgresDatabase();
  const site = await openLoans(() => openPostgres(parsePostgresUrl(url), { migrate }));
  return { ...site, stop: () => site.stop().then(drop) };
}

const onSqlite = (folder: string) => openSqlite(join(folder, 'loans.db'), { migrate });

export async function openLoans(
  openDatabase: (folder: string) => Promise<Database> = onSqlite,
): Promise<LoansSite> {
  const site = await openRestartable(async (folder) => {
    const database = await openDatabase(folder);
    const mark = (at: number) => (database.engine === 'postgres' ? `$${at}` : '?');
    const findPeople = async (find: string, chosen: string) => {
      const { rows } = await database.read.run<Person>(
        `select id, name from people where id = ${mark(1)} or name like ${mark(2)} order by name limit 20`,
        [Number(chosen), find === '' ? '' : `${find}%`],
      );
      return rows.map(({ id, name }) => ({ value: id, label: name }));
    };
    const site = createSiteWithLogIn(createStores(database), '/lend');
    formPage(
      site,
      '/lend',
      async ({ typed }) =>
        defineForm({
          find: textField({ label: 'Find a person', maxLength: 80, update: 'Find' }),
          person: choiceField({
            label: 'Person',
            required: 'Find a person and choose one',
            as: 'radio',
            choices: await findPeople(typed.get('find') ?? '', typed.get('person') ?? ''),
            addNew: { label: 'Add a new person', path: localPath('/people/new') },
          }),
          days: wholeNumberField({ label: 'Days', min: 1, max: 90, default: 7, update: 'Update' }),
          note: textField({ label: 'Note', maxLength: 80 }),
        }),
      {
        middleware: [requireSession],
        button: 'Lend',
        linked: ['days'],
        async show({ form, formWith }) {
          const { days = 0 } = await valuesOf(form);
          return styledPage(
            formTitle('Lend', form),
            html`<h1>Lend</h1>${formWith({ days: html`<p>Deposit: ${days * 2} €</p>` })}`,
          );
        },
        async send({ values: { person, days, note }, transaction }) {
          await transaction.run(`insert into loans values (${mark(1)})`, [
            `${person} ${days} ${note}`,
          ]);
          return { path: localPath('/'), message: 'Lent.' };
        },
      },
    );
    formPage(site, '/people/new', personForm, {
      middleware: [requireSession],
      button: 'Save',
      show: ({ form, formHtml }) =>
        styledPage(formTitle('Add a person', form), html`<h1>Add a person</h1>${formHtml}`),
      async send({ request, values: { name }, transaction }) {
        const { rows } = await transaction.run<Person>(
          `insert into people select max(id) + 1, cast(${mark(1)} as text) from people returning id`,
          [name],
        );
        return returnPath(request, { person: rows[0]?.id ?? 0 }, localPath('/'));
      },
    });
    return { database, site };
  });
  const { read, write } = { read: () => site.database().read, write: () => site.database() };
  return {
    ...site,
    async loans() {
      const { rows } = await read().run<{ text: string }>('select text from loans', []);
      return rows.map(({ text }) => text);
    },
    async remove(name) {
      await write().write((transaction) =>
        transaction.run(`delete from people where name = '${name}'`, []),
      );
    },
  };
}
