/**
 * The forms of the faults that change items: each is of a random kind, for a random item, and filled in as its page
 * shows it. Items with a kind, own fields and photos are added, edited, counted, lent, also two at once, returned, also
 * in parts, deleted and restored; photos are added, described, moved and removed; meanwhile an administrator adds,
 * renames, removes and merges fields and kinds; and all of it is undone. Each form has a mark, by which it is found in
 * what is stored.
 */
import { createHash, randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { encodeFields, hiddenFields } from 'seeother/testing';
import { PHOTOS } from '../application/testing/photos.ts';
import { makePng } from './make-png.ts';
import type { StoredFile } from './read-files.ts';
import { type EventRow, START, type StoredHistory } from './read-history.ts';
import { FORM, postForm } from './send-forms.ts';

const ITEMS = 6;
/** Items that are changed: also some of those that were added. */
const CHANGED = 2 * ITEMS;
const CHOICES = `'[{"id":"c1","label":"Good"},{"id":"c2","label":"Bad"}]'`;
const OTHERS = `'[{"id":"c1","label":"bad"},{"id":"c2","label":"Lost"}]'`;
/** Two kinds of things, and fields of all things and of one kind. The first two fields and the first kind stay. */
const DEFINITIONS = `insert into item_kinds (id, name, position) values (1, 'Tool', 1), (2, 'Gear', 2);
  insert into own_fields (id, kind, label, choices, item_kind, position) values
    (1, 'number', 'Volts', '[]', null, 1),
    (2, 'choices', 'Seen', ${CHOICES}, 1, 2),
    (3, 'text', 'Maker', '[]', null, 3),
    (4, 'text', 'Manufacturer', '[]', 1, 4),
    (5, 'choice', 'State', ${CHOICES}, null, 5),
    (6, 'choice', 'Condition', ${OTHERS}, null, 6);
  insert into counters (name, value) values ('item kinds', 2), ('own fields', 6)
    on conflict (name) do update set value = excluded.value`;
const KINDS = [
  ...(['edit', 'edit', 'edit', 'count', 'count', 'lend', 'lend several', 'return'] as const),
  ...(['delete', 'restore', 'undo', 'add', 'add', 'add photos', 'add photos'] as const),
  ...(['change photo', 'change photo', 'define'] as const),
];
/** Of an administrator: one at a time, because an account may not merge more often. */
const DEFINING = [
  ...(['add field', 'rename field', 'rename kind', 'remove field', 'merge', 'merge'] as const),
  ...(['undo field', 'undo field', 'undo field'] as const),
];
/** Of a form that gets a 503, and milliseconds in between. */
const MAX_ATTEMPTS = 100;
const PAUSE = 100;
/** Answers that say that nothing was done: an error, a missing item, a change in between. */
const REFUSALS = [400, 404, 409];

export interface SentFile {
  readonly name: string;
  readonly sha256: string;
}

export interface SentChange {
  readonly kind: Exclude<(typeof KINDS)[number], 'define'> | (typeof DEFINING)[number];
  /** Stands in the event of an edit, a count or a loan, in a new item, in the names of files, and in a definition. */
  readonly mark: string;
  readonly path: string;
  readonly body: string | Uint8Array<ArrayBuffer>;
  readonly type: string;
  readonly files: readonly SentFile[];
  /** The event that an undo is for, or the change of the definitions. */
  readonly event: number | null;
  /** Of a change of a photo: the button. */
  readonly button: string;
  status: number | null;
}

/** `run` carries out a statement as another program, while the service runs. */
export async function prepareItems(
  run: (statement: string) => Promise<void>,
  url: string,
  cookie: string,
): Promise<void> {
  await run(DEFINITIONS);
  for (let number = 1; number <= ITEMS; number++) {
    const body = encodeFields({ ...START_FORM, _once: `item-${number}` });
    const { status } = await postForm(`${url}/items`, body, cookie);
    if (status !== 303) throw new Error(`An item was not added: the answer is ${status}.`);
  }
}

/** What an item is added with. */
const START_FORM = {
  ...{ name: START.name, location: START.location, tags: START.tags.join() },
  ...{ quantity: String(START.quantity), kind: '1', own_1: '230', own_2: 'c1' },
};

/** Adds a form of a random kind to those that were sent; null if there is nothing that it could change. */
export async function nextChange(
  sent: SentChange[],
  url: string,
  cookie: string,
): Promise<SentChange | null> {
  const show = async (path: string) => {
    const answer = await fetch(`${url}${path}`, { headers: { cookie }, redirect: 'manual' });
    return answer.text();
  };
  const hidden = async (path: string) => hiddenFields(await show(path)) as Partial<Fields>;
  const kind = pick(KINDS);
  const number = 1 + Math.floor(Math.random() * CHANGED);
  const mark = randomUUID();
  const item = `/items/${number}`;
  const form = async (
    path: string,
    fields: Fields,
    { event = 0, files = [], as, button = '' }: Partial<Details> = {},
  ): Promise<SentChange> => {
    const { body, type } = await encode({ ...fields, _once: mark }, files);
    const change: SentChange = {
      ...{ kind: as ?? (kind as SentChange['kind']), mark, path, body, type, button },
      ...{ files: await Promise.all(files.map(toSentFile)), event: event || null, status: null },
    };
    sent.push(change);
    return change;
  };
  switch (kind) {
    case 'add': {
      const { _fields = '' } = await hidden('/items/new?kind=1');
      const fields = { ...START_FORM, serial: mark, _fields, button: 'save' };
      return form('/items', fields, { files: makeFiles(mark, 0) });
    }
    case 'edit': {
      const { version, _fields = '' } = await hidden(`${item}/edit`);
      if (version === undefined) return null;
      const fields = { name: mark, location: pick(['Attic', 'Cellar']), quantity: '500' };
      const own = Object.fromEntries(ownNamesIn(_fields).map((name) => [name, ownValue(name)]));
      const files = Math.random() < 0.2 ? makeFiles(mark, 1) : [];
      return form(`${item}/edit`, { ...own, ...fields, _fields, version }, { files });
    }
    case 'add photos':
      return form(`${item}/files`, {}, { files: makeFiles(mark, 1) });
    case 'change photo': {
      const found = [...(await show(item)).matchAll(/\/files\/(\d+)[/"]/g)].map(([, id]) => id);
      if (found.length === 0) return null;
      const path = `${item}/files/${pick(found)}`;
      const { was = '' } = await hidden(path);
      const button = pick(['save', 'first', 'later', 'remove', 'remove']);
      return form(path, { caption: button === 'save' ? mark : was, was, button }, { button });
    }
    case 'count': {
      const button = pick(['take', 'add']);
      return form(`${item}/quantity`, { amount: pick(['1', '2', '3']), reason: mark, button });
    }
    case 'lend':
      return form(`${item}/lend`, {
        to: mark,
        until: pick(['', '2999-12-31']),
        quantity: pick(['1', '40', '300']),
      });
    case 'lend several': {
      const ticked = { row_0: `${number}`, row_1: `${(number % CHANGED) + 1}` };
      return form('/items/select', { ...ticked, to: mark, button: 'lend' });
    }
    case 'return': {
      const lent = [...(await show(item)).matchAll(/name="lent" value="([^"]*)"/g)];
      const [, at] = pick(lent) ?? [];
      return at === undefined ? null : form(`${item}/return`, { lent: at, part: pick(['', '1']) });
    }
    case 'delete':
    case 'restore':
      return form(`${item}/${kind}`, {});
    case 'undo': {
      const markup = await show(`${item}/history`);
      const ids = [...markup.matchAll(/history\/(\d+)\/undo"/g)].map(([, id]) => Number(id));
      if (ids.length === 0) return null;
      const id = pick(ids);
      return form(`${item}/history/${id}/undo`, {}, { event: id });
    }
    case 'define':
      return sent.some((one) => one.status === null && isDefining(one))
        ? null
        : define(pick(DEFINING), { mark, show, hidden, form });
  }
}

type Fields = Readonly<Record<string, string>>;

interface Filling {
  readonly mark: string;
  readonly show: (path: string) => Promise<string>;
  readonly hidden: (path: string) => Promise<Partial<Fields>>;
  readonly form: (path: string, fields: Fields, details: Partial<Details>) => Promise<SentChange>;
}

interface Details {
  readonly as: SentChange['kind'];
  readonly event: number;
  readonly files: readonly File[];
  readonly button: string;
}

function isDefining({ kind }: Pick<SentChange, 'kind'>): boolean {
  return (DEFINING as readonly string[]).includes(kind);
}

/** A form of an administrator about kinds and fields. */
async function define(
  as: (typeof DEFINING)[number],
  { mark, show, hidden, form }: Filling,
): Promise<SentChange | null> {
  switch (as) {
    case 'add field':
      return form('/fields/new', { label: mark, value: 'text', of: pick(['all', '1']) }, { as });
    case 'rename field': {
      const { version = '' } = await hidden('/fields/1');
      return form('/fields/1', { label: mark, value: 'number', of: 'all', version }, { as });
    }
    case 'rename kind': {
      const { version = '' } = await hidden('/fields/kinds/1');
      return form('/fields/kinds/1', { name: mark, version }, { as });
    }
    case 'remove field':
      return form(`/fields/${pick(['3', '4', '5', '6'])}/remove`, {}, { as });
    case 'merge': {
      const [what, from, into] = pick([
        ...([['', '4', '3'] as const, ['', '3', '4'] as const, ['', '6', '5'] as const] as const),
        ['kinds/', '2', '1'] as const,
      ]);
      return form(`/fields/${what}${from}/merge`, { from, into }, { as });
    }
    case 'undo field': {
      const markup = await show('/fields/changes');
      const found = [...markup.matchAll(/\/fields\/changes\/(\d+)\/undo"/g)];
      const ids = found.map(([, id]) => Number(id)).slice(0, 4);
      if (ids.length === 0) return null;
      const id = pick(ids);
      return form(`/fields/changes/${id}/undo`, {}, { as, event: id });
    }
  }
}

/** The names of the kind and of the own fields that the page of a form shows, by its hidden field. */
function ownNamesIn(shown: string): readonly string[] {
  if (shown === '') return [];
  return (JSON.parse(shown) as readonly (readonly [string, string])[]).map(([name]) => name);
}

function ownValue(name: string): string {
  switch (name) {
    case 'kind':
      return pick(['', '1', '1', '2']);
    case 'own_1':
      return pick(['', '110', '230.5']);
    case 'own_2':
      return pick(['', 'c2']);
    case 'own_5':
    case 'own_6':
      return pick(['', 'c1', 'c2']);
    default:
      return pick(['', 'Bosch', 'Makita']);
  }
}

/** Some are the same as those of other forms, and share their bytes with them. */
function makeFiles(mark: string, least: number): readonly File[] {
  const makers = [
    () => new File([makePng(mark)], `${mark} photo.png`, { type: 'image/png' }),
    () => {
      const format = pick(['jpeg', 'webp', 'heic'] as const);
      return new File([PHOTOS[format]], `${mark} same.${format}`, { type: `image/${format}` });
    },
    () => new File([`About ${mark}`], `${mark} about.txt`, { type: 'text/plain' }),
    () => new File([`See ${pick(['a', 'b'])}`], `${mark} see.txt`, { type: 'text/plain' }),
  ];
  const made = makers.filter(() => Math.random() < 0.4).map((make) => make());
  return made.length >= least ? made : [makers[0]?.() as File];
}

async function toSentFile(file: File): Promise<SentFile> {
  const sha256 = createHash('sha256').update(await file.bytes());
  return { name: file.name, sha256: sha256.digest('hex') };
}

/** As a browser does; the bytes are the same each time when the form is sent again. */
async function encode(fields: Fields, files: readonly File[]) {
  if (files.length === 0) return { body: encodeFields(fields), type: FORM };
  const data = new FormData();
  for (const [name, value] of Object.entries(fields)) data.append(name, value);
  for (const file of files) data.append('files', file);
  const encoded = new Response(data);
  const body = new Uint8Array(await encoded.arrayBuffer());
  return { body, type: encoded.headers.get('content-type') ?? '' };
}

/** Whether there was an answer; a 503 of a machine that is too busy is none, and the form is sent again. */
export async function sendChange(form: SentChange, url: string, cookie: string): Promise<boolean> {
  const { path, body, type } = form;
  const { status } = await postForm(`${url}${path}`, body, cookie, type);
  if (status === 503) return false;
  form.status = status;
  return true;
}

/** All that have no answer, until each has one. Resolves to their number. */
export async function sendAgain(
  sent: readonly SentChange[],
  url: string,
  cookie: string,
): Promise<number> {
  const open = sent.filter(({ status }) => status === null);
  for (const form of open)
    for (let times = 0; form.status === null && times < MAX_ATTEMPTS; times++)
      if (!(await sendChange(form, url, cookie))) await sleep(PAUSE);
  return open.length;
}

function pick<T>(from: readonly T[]): T {
  return from[Math.floor(Math.random() * from.length)] as T;
}

export function isDone({ status }: SentChange): boolean {
  return status === 303;
}

export function isRefused({ status }: SentChange): boolean {
  return REFUSALS.includes(status ?? 0);
}

/**
 * What happened to each form, by what is stored: `ghosts` are traces of refused forms or of none, and `gaps` are
 * skipped ids of events and numbers of items.
 */
export function compareChanges(
  sent: readonly Omit<SentChange, 'path' | 'body' | 'type'>[],
  { events, added, numbers, definitions }: StoredHistory,
  stored: readonly StoredFile[],
) {
  const balance = { lost: 0, doubled: 0, ghosts: 0, gaps: 0 };
  const compare = (isDone: boolean, found: number) => {
    if (isDone && found === 0) balance.lost++;
    if (!isDone && found > 0) balance.ghosts++;
    if (found > 1) balance.doubled++;
  };
  const ofFiles = (row: EventRow) => row.changes.files !== undefined;
  const marks = Map.groupBy(
    events.filter((row) => !ofFiles(row)),
    ({ mark }) => mark,
  );
  const fileMarks = Map.groupBy(events.filter(ofFiles), ({ mark }) => mark);
  const undone = Map.groupBy(events, ({ undoes }) => undoes);
  const undoneDefinitions = Map.groupBy(definitions, ({ undoes }) => undoes);
  const files = Map.groupBy(stored, ({ name }) => name);
  for (const form of sent) {
    const { kind, status, mark, event, button } = form;
    const isDone = status === 303;
    const found = marks.get(mark) ?? [];
    if (kind === 'edit' || kind === 'count' || kind === 'lend') compare(isDone, found.length);
    // Of an item that somebody has, it has no event.
    if (kind === 'lend several' && found.length > 0)
      compare(isDone, found.length / new Set(found.map(({ number }) => number)).size);
    // Others may have sent the same undo.
    if (kind === 'undo' && isDone) compare(true, undone.get(event)?.length ?? 0);
    if (kind === 'add') compare(isDone, added.filter((one) => one === mark).length);
    if (kind === 'add photos' || (kind === 'change photo' && button === 'save'))
      compare(isDone, fileMarks.get(mark)?.length ?? 0);
    if (kind === 'add field' || kind === 'rename field' || kind === 'rename kind')
      compare(isDone, definitions.filter((one) => one.mark === mark).length);
    if (kind === 'undo field' && isDone) compare(true, undoneDefinitions.get(event)?.length ?? 0);
    for (const { name, sha256 } of form.files) {
      const rows = files.get(name) ?? [];
      compare(isDone, rows.length);
      if (rows.some((row) => row.sha256 !== sha256)) balance.lost++;
    }
  }
  const known = new Set(sent.map(({ mark }) => mark));
  const isGhost = (mark: string | null) => mark !== null && mark !== '' && !known.has(mark);
  balance.ghosts += events.filter(({ mark }) => isGhost(mark)).length;
  balance.ghosts += added.filter(isGhost).length;
  balance.ghosts += stored.filter(({ name }) => isGhost(markOf(name))).length;
  // One event for each delete, each return and each removed photo that was carried out. A restore has none of its own
  // to count: it takes a deletion back, once, and of an item that is there it is answered like one that was carried
  // out.
  const count = (
    isOf: (form: (typeof sent)[number]) => boolean,
    has: (row: EventRow) => boolean,
  ) => {
    const forms = sent.filter((form) => form.status === 303 && isOf(form)).length;
    const found = events.filter((row) => row.undoes === null && has(row)).length;
    return { forms, found };
  };
  const pairs = [
    count(
      ({ kind }) => kind === 'delete',
      ({ kind }) => kind === 'deleted',
    ),
    count(
      ({ kind }) => kind === 'return',
      ({ kind }) => kind === 'returned',
    ),
    count(
      ({ kind, button }) => kind === 'change photo' && button === 'remove',
      ({ changes: { files } }) => files !== undefined && files[1].length === 0,
    ),
  ];
  for (const { forms, found } of pairs) {
    balance.lost += Math.max(0, forms - found);
    balance.doubled += Math.max(0, found - forms);
  }
  // A field that was removed before is answered like one that was removed now.
  for (const [kind, stored] of [
    ['remove field', 'removed'] as const,
    ['merge', 'merged'] as const,
  ]) {
    const forms = sent.filter((form) => form.status === 303 && form.kind === kind).length;
    const found = definitions.filter((one) => one.kind === stored).length;
    balance.doubled += Math.max(0, found - forms);
  }
  // Additions have negative ids.
  const changes = events.filter(({ id }) => id > 0);
  balance.gaps = changes.filter(({ id }, index) => id !== index + 1).length;
  balance.gaps += Math.max(0, ...numbers) - numbers.length;
  return balance;
}

/** The names of files begin with the mark of their form. */
export function markOf(name: string): string {
  return name.split(' ')[0] ?? '';
}
