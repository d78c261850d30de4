/** A small site, on SQLite, whose forms have the script: one with a password, and one that searches as one types. */
import { join } from 'node:path';
import {
  createSite,
  defineForm,
  formPage,
  formTitle,
  html,
  loadFiles,
  localPath,
  seeOther,
  startSession,
  valuesOf,
  withSession,
} from 'seeother';
import { createStores } from 'seeother/database';
import {
  choiceField,
  dateField,
  fileField,
  passwordField,
  textField,
  wholeNumberField,
} from 'seeother/fields';
import { createFolder } from 'seeother/files';
import { openSqlite } from 'seeother/sqlite';
import { openRestartable, type RestartableSite, STYLES, styledPage } from './serve-site.ts';

const NAMES = ['Ada', 'Alan', 'Grace'];

export interface TypingSite extends RestartableSite {
  readonly sent: string[];
}

export async function openTyping(): Promise<TypingSite> {
  const sent: string[] = [];
  const site = await openRestartable(async (folder) => {
    const database = await openSqlite(join(folder, 'typing.db'));
    const fileStore = createFolder(join(folder, 'files'));
    const site = createSite(createStores(database, { fileStore }), {
      log: false,
      files: loadFiles(STYLES),
      forms: { script: true },
    })
      .get('/login', () =>
        withSession(seeOther(localPath('/join')), startSession({ id: 1, name: 'ada' })),
      )
      .get('/done', () => styledDone());
    const join_ = defineForm({
      name: textField({ label: 'Name', required: 'Enter a name', maxLength: 20 }),
      seats: wholeNumberField({ label: 'Seats', min: 1, max: 9, default: 1 }),
      day: dateField({ label: 'Day', as: 'parts' }),
      meal: choiceField({
        label: 'Meal',
        as: 'radio',
        required: 'Choose a meal',
        choices: [
          { value: 'soup', label: 'Soup' },
          { value: 'salad', label: 'Salad' },
        ],
      }),
      secret: passwordField({
        label: 'Password',
        required: 'Enter a password',
        minLength: 8,
        maxLength: 100,
      }),
    });
    formPage(site, '/join', join_, {
      button: 'Join',
      show: ({ form, formHtml }) =>
        styledPage(formTitle('Join', form), html`<h1>Join</h1>${formHtml}`),
      async act({ once, values }) {
        return once(async () => {
          sent.push(`${values.name} ${values.seats}`);
          return localPath('/done');
        });
      },
    });
    formPage(
      site,
      '/lend',
      ({ typed }) => {
        const find = typed.get('find') ?? '';
        const found = NAMES.filter(
          (name) => name === typed.get('person') || (find !== '' && name.startsWith(find)),
        );
        return defineForm({
          find: textField({ label: 'Find a person', maxLength: 80, update: 'Find' }),
          person: choiceField({
            label: 'Person',
            required: 'Find a person and choose one',
            as: 'radio',
            choices: found.map((name) => ({ value: name, label: name })),
          }),
          days: wholeNumberField({ label: 'Days', min: 1, max: 90, default: 7, update: 'Update' }),
          note: textField({ label: 'Note', maxLength: 80 }),
        });
      },
      {
        button: 'Lend',
        async show({ form, formWith }) {
          const { days = 0 } = await valuesOf(form);
          return styledPage(
            formTitle('Lend', form),
            html`<h1>Lend</h1>${formWith({ days: html`<p>Deposit: ${days * 2} €</p>` })}`,
          );
        },
        send({ values }) {
          sent.push(`${values.person} ${values.days} ${values.note}`);
          return localPath('/done');
        },
      },
    );
    const report = defineForm({
      title: textField({ label: 'Title', required: 'Enter a title', maxLength: 80 }),
      text: textField({ label: 'Text', maxLength: 10_000, multiline: true }),
    });
    formPage(site, '/report', report, {
      button: 'Send',
      autosave: true,
      show: ({ form, formHtml }) =>
        styledPage(formTitle('Report', form), html`<h1>Report</h1>${formHtml}`),
      send({ values }) {
        sent.push(values.title);
        return localPath('/done');
      },
    });
    const paper = defineForm({
      title: textField({ label: 'Title', required: 'Enter a title', maxLength: 80 }),
      paper: fileField({ label: 'Paper', required: 'Choose a paper', maxSize: 1_000_000 }),
    });
    formPage(site, '/paper', paper, {
      button: 'Send',
      show: ({ form, formHtml }) =>
        styledPage(formTitle('Paper', form), html`<h1>Paper</h1>${formHtml}`),
      send({ values }) {
        sent.push(`${values.title} ${values.paper.size}`);
        return localPath('/done');
      },
    });
    return { database, site };
  });
  return { ...site, sent };
}

function styledDone() {
  return {
    status: 200,
    headers: { 'Content-Type': 'text/html; charset=utf-8' },
    body: styledPage('Done', html`<h1>Done</h1>`).markup,
  };
}
