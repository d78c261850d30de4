/**
 * A record of what forms have changed: who, when, what, and of each field the old and the new value, as people read
 * them then. It is written in the transaction of the form, so it has what was committed, and nothing else: a form that
 * is repeated or refused writes none.
 */
import type { Context } from '../chain/context.ts';
import type { Database, WriteTransaction } from '../database/database.ts';
import { openTable } from '../database/tables.ts';
import { bindForm } from '../form/bound-part.ts';
import { cutText, lengthToFit } from '../form/cut-text.ts';
import { blankForm, type Fields, type FilledForm, type Form } from '../form/define-form.ts';
import type { FormText, PartialText, TextTree } from '../form/field-set.ts';
import { listFields } from '../form/list-fields.ts';
import { fillSent } from '../form/read-form.ts';
import { translateTexts } from '../form/rewrite-texts.ts';
import { COUNT, checkOptions, type OptionKinds } from '../http/check-options.ts';
import { type Html, html } from '../http/html.ts';
import type { Request } from '../http/request.ts';
import { languageOf } from '../http/request-language.ts';
import type { Entry } from '../http/urlencoded.ts';
import type { Language } from '../language/language.ts';
import { paginate } from '../lists/paginate.ts';
import { sessionOf } from '../session/session.ts';

/** A field that has changed. */
export interface AuditChange {
  /** As `lines.0.price`. */
  readonly path: string;
  readonly label: string;
  /** Empty if there was none. */
  readonly before: string;
  readonly after: string;
}

/** One form that has changed something. */
export interface AuditEntry {
  readonly id: number;
  readonly at: Date;
  /** Null for a visitor, and if the name was removed. */
  readonly user: { readonly id: string; readonly name: string } | null;
  /** What was changed, such as `book 7`. */
  readonly about: string;
  /** The form, as `POST /books/:id<int>`. */
  readonly form: string;
  readonly changes: readonly AuditChange[];
  /** The language of labels and values: a code such as `de`. */
  readonly language: string;
}

/** What `record` needs of the context of `send`, or of `act`, with the transaction of `once`. */
interface Recorded<F extends Fields, Transaction> extends Context {
  readonly transaction: Transaction;
  readonly form?: FilledForm<F>;
}

export interface RecordOptions<F extends Fields> {
  /** What is changed, by which its entries are found, such as `book 7`: at most 200 characters. */
  readonly about: string;
  /**
   * What stood in the fields before, as `fill` gives it: `textsOf(form, row)`. Read it in the transaction. Without it,
   * all fields are new.
   */
  readonly before?: PartialText<FormText<F>>;
  /** What stands in the fields now. By default what was sent; null if what was there is deleted. */
  readonly after?: PartialText<FormText<F>> | null;
  /** Another form than that which was sent, such as that of a record which a button deletes. */
  readonly form?: Form<F, unknown>;
}

export interface AuditOptions {
  /** After so many days, an entry is removed; by default never. */
  readonly days?: number;
}

const AUDIT_KINDS = { days: COUNT } satisfies OptionKinds<AuditOptions>;
const MAX_ABOUT = 200;
const DAY = 86_400_000;
/** Entries on a page. */
const PAGE_SIZE = 50;

/** What `createAudit` returns. */
export interface Audit<Transaction> {
  /**
   * Writes the fields that differ, in the transaction of the form; nothing if none does. Of a form in steps, all
   * answers. Passwords and hidden fields are never written, and of a file its name and size.
   */
  readonly record: <F extends Fields, Other extends Fields = F>(
    context: Recorded<F, Transaction>,
    options: RecordOptions<Other>,
  ) => Promise<void>;
  /** The newest first: of one thing, or of all. `before` is the id that they come before. */
  readonly list: (place: {
    readonly about?: string;
    readonly limit: number;
    readonly before?: number;
  }) => Promise<readonly AuditEntry[]>;
  /** HTML of the entries, with links to further pages: for a page to which your handler lets some users. */
  readonly show: (
    context: Pick<Context, 'request'>,
    options?: { readonly about?: string; readonly timeZone?: string },
  ) => Promise<Html>;
  /** Removes the name of a user from all entries, which stay. */
  readonly forget: (userId: string | number, transaction?: Transaction) => Promise<void>;
}

/** The audit of a database, in the table `seeother_audit`, which is created when it is first used. */
export function createAudit<Transaction extends WriteTransaction = WriteTransaction>(
  database: Database<Transaction>,
  options: AuditOptions = {},
): Audit<Transaction> {
  checkOptions('createAudit', options, AUDIT_KINDS);
  const id = database.engine === 'postgres' ? 'bigint generated always as identity' : 'integer';
  const { days } = options;
  const table = openTable(
    database,
    null,
    'seeother_audit',
    (name) => [
      `create table if not exists ${name} (id ${id} primary key, at text not null, user_id text,
        user_name text, about text not null, form text not null, language text not null,
        changes text not null)`,
      `create index if not exists ${name}_by_about on ${name} (about, id)`,
      `create index if not exists ${name}_by_user on ${name} (user_id)`,
    ],
    days === undefined ? undefined : { column: 'at', after: days * DAY, every: DAY },
  );
  const { name, read } = table;
  const insert = `insert into ${name} (at, user_id, user_name, about, form, language, changes)
    values (?, ?, ?, ?, ?, ?, ?)`;

  const readPage = async (about: string | undefined, limit: number, beyond: Beyond | null) => {
    const isUp = beyond?.isBackwards === true;
    const conditions = [
      ...(about === undefined ? [] : [{ text: 'about = ?', value: about }]),
      ...(beyond === null ? [] : [{ text: `id ${isUp ? '>' : '<'} ?`, value: beyond.id }]),
    ];
    const where = conditions.map(({ text }) => text).join(' and ');
    const rows = await read<Row>(
      `select * from ${name} ${where === '' ? '' : `where ${where}`}
        order by id ${isUp ? 'asc' : 'desc'} limit ?`,
      [...conditions.map(({ value }) => value), limit],
    );
    return rows.map(toEntry);
  };

  return {
    async record(context, recorded) {
      const { request, route, transaction } = context;
      const { about } = recorded;
      if (typeof about !== 'string' || about === '' || about.length > MAX_ABOUT) {
        throw new TypeError(
          `Cannot record a change without what was changed: pass about, a text of at most ${MAX_ABOUT} characters, such as 'book 7'.`,
        );
      }
      const language = languageOf(request);
      // The signature has checked the types.
      const changes = findChanges(context as never, recorded as never, language);
      if (changes.length === 0) return;
      const user = sessionOf(request)?.user ?? null;
      await table.write(async (connection) => {
        await connection.run(insert, [
          new Date().toISOString(),
          user === null ? null : String(user.id),
          user?.name ?? null,
          about,
          route === null ? '' : `${route.method} ${route.pattern}`,
          language.code,
          JSON.stringify(changes),
        ]);
        if (days !== undefined) await table.sweep(connection);
      }, transaction);
    },
    list: ({ about, limit, before }) =>
      readPage(about, limit, before === undefined ? null : { id: before, isBackwards: false }),
    async show({ request }, { about, timeZone = 'UTC' } = {}) {
      const { rows, nav } = await paginate(request, {
        size: PAGE_SIZE,
        key: { id: 'int' },
        read: ({ limit, position, isBackwards }) =>
          readPage(about, limit, position === null ? null : { id: position.id, isBackwards }),
      });
      return html`${drawEntries(rows, request, timeZone)}${nav}`;
    },
    async forget(userId, transaction) {
      await table.write(
        ({ run }) =>
          run(`update ${name} set user_id = null, user_name = null where user_id = ?`, [
            String(userId),
          ]),
        transaction,
      );
    },
  };
}

interface Beyond {
  readonly id: number;
  readonly isBackwards: boolean;
}

interface Row {
  readonly id: number | bigint | string;
  readonly at: string;
  readonly user_id: string | null;
  readonly user_name: string | null;
  readonly about: string;
  readonly form: string;
  readonly language: string;
  readonly changes: string;
}

function toEntry({ id, at, user_id, user_name, changes, ...row }: Row): AuditEntry {
  const user = user_id === null ? null : { id: user_id, name: user_name ?? '' };
  return { ...row, id: Number(id), at: new Date(at), user, changes: JSON.parse(changes) };
}

/** The steps of a form, as its pages put them on the context. */
interface WithSteps {
  readonly steps?: {
    readonly progress: {
      readonly reached: readonly {
        readonly step: { readonly name: string };
        readonly form: Form<Fields, unknown>;
        readonly entries: readonly Entry[] | null;
        readonly typedIn: Language;
      }[];
    };
  };
}

function findChanges(
  context: Recorded<Fields, unknown>,
  { before, after, form: other }: RecordOptions<Fields>,
  language: Language,
): readonly AuditChange[] {
  const { steps } = context as WithSteps;
  if (steps !== undefined && other === undefined) {
    return steps.progress.reached.flatMap(({ step, form, entries, typedIn }) => {
      const sent = fillSent(form, entries ?? [], language);
      const text = translateTexts(form, sent.text as TextTree, typedIn.code, language);
      const fields = listFields(bindForm({ ...sent, text }), language);
      const named = fields.map((field) => ({ ...field, path: `${step.name}.${field.path}` }));
      return compare([], named);
    });
  }
  const definition = other ?? context.form?.definition;
  if (definition === undefined) {
    throw new TypeError(
      'Cannot record the changes of a form that is not known: pass the context of send, or form.',
    );
  }
  const list = (text: PartialText<FormText<Fields>> | undefined) =>
    text === undefined ? [] : listFields(bindForm(blankForm(definition, text, language)), language);
  const now =
    after === undefined && other === undefined && context.form !== undefined
      ? listFields(bindForm(context.form), language)
      : list(after ?? undefined);
  return compare(list(before), now);
}

type Listed = ReturnType<typeof listFields>[number];

/** In the order of the form; what is not there any more comes last. A file that was not chosen anew stays as it was. */
function compare(old: readonly Listed[], now: readonly Listed[]): readonly AuditChange[] {
  const before = new Map(old.map((field) => [field.path, field]));
  const paths = new Set(now.map(({ path }) => path));
  const gone = old.filter(({ path }) => !paths.has(path)).map((field) => ({ ...field, text: '' }));
  return [...now, ...gone].flatMap(({ path, label, text }) => {
    const earlier = before.get(path)?.text ?? '';
    return earlier === text ? [] : [{ path, label, before: earlier, after: text }];
  });
}

function drawEntries(entries: readonly AuditEntry[], request: Request, timeZone: string): Html {
  const { code, words } = languageOf(request);
  if (entries.length === 0) return html`<p>${words.audit.nothing}</p>\n`;
  const time = new Intl.DateTimeFormat(code, { dateStyle: 'medium', timeStyle: 'long', timeZone });
  const texts = entries.flatMap(({ changes }) => changes.flatMap((one) => [one.before, one.after]));
  const maxLength = lengthToFit(texts);
  const draw = (text: string) =>
    cutText(text, maxLength)
      .split('\n')
      .map((line, at) => html`${at === 0 ? null : html`<br>`}${line}`);
  const drawn = entries.map(({ at, user, about, changes, language }) => {
    const own = language === code ? null : html` lang="${language}"`;
    const rows = changes.map(
      ({ label, before, after }) =>
        html`<tr><th scope="row">${label}</th><td>${draw(before)}</td><td>${draw(after)}</td></tr>\n`,
    );
    return html`<li>
<h2>${about}</h2>
<p>${user?.name ?? words.audit.nobody}, <time datetime="${at.toISOString()}">${time.format(at)}</time></p>
<table>
<thead><tr><th scope="col">${words.audit.field}</th><th scope="col">${words.audit.before}</th><th scope="col">${words.audit.after}</th></tr></thead>
<tbody${own}>
${rows}</tbody>
</table>
</li>
`;
  });
  return html`<ol class="audit">
${drawn}</ol>
`;
}
