/**
 * The promise at every door: each kind of form, refused for each reason, for visitors and members. The page gives the
 * text back, its files are parked where they can be, and the form is carried out once after it.
 */
import assert from 'node:assert/strict';
import { join } from 'node:path';
import test, { type TestContext } from 'node:test';
import {
  createSite,
  defineForm,
  formPage,
  html,
  localPath,
  requireSession,
  seeOther,
  startSession,
  text,
  toLocalPath,
  withSession,
} from 'seeother';
import { createStores, type Database, DatabaseUnavailable } from 'seeother/database';
import { fileField, rows, textField } from 'seeother/fields';
import { createFolder } from 'seeother/files';
import { limitRequests } from 'seeother/middleware';
import { stepPages, steps } from 'seeother/steps';
import { bodyText, createVisitor, hiddenFields, type Visitor } from 'seeother/testing';
import { createBareDatabase } from '../testing/open-bare-database.ts';
import { createTestFolder, ENGINES } from '../testing/open-test-database.ts';

const KINDS = ['flat', 'file', 'rows', 'step'] as const;
const REFUSALS = [
  '400',
  '401',
  '409',
  '413',
  '429',
  'database',
  'commit',
  'disk',
  'bucket',
] as const;
type Kind = (typeof KINDS)[number];
type Refusal = (typeof REFUSALS)[number];

/** What a page has to say for a row of the table. `again`: it names the file that is to be chosen again. */
interface Row {
  readonly status: number;
  readonly text: boolean;
  readonly file: 'none' | 'parked' | 'again' | 'sent anew';
  readonly carriedOut: number;
}

const NOTE = 'Two ladders & <one> rope';
const LIMIT = 5_000;
const list = fileField({ label: 'List', maxSize: 1_000 });
const plain = {
  note: textField({ label: 'Note', maxLength: 10_000 }),
  place: textField({ label: 'Place', required: 'Enter a place', maxLength: 99 }),
};
const FORMS = {
  flat: defineForm(plain),
  file: defineForm({ ...plain, list }),
  rows: defineForm({
    ...plain,
    parts: rows({ label: 'Parts', name: 'Part', max: 3, fields: { list } }),
  }),
};
const ORDER = steps()
  .step('who', defineForm({ who: textField({ label: 'Who', maxLength: 99 }) }), { title: 'Who' })
  .step('papers', FORMS.file, { title: 'Papers' });
const FILES: Readonly<Record<Kind, string | null>> = {
  flat: null,
  file: 'list',
  rows: 'parts.0.list',
  step: 'list',
};

/** A site whose parts fail on demand. */
async function openSite(t: TestContext, engine: Database['engine']) {
  const fault: { is: Refusal | null } = { is: null };
  const failing = <Args extends readonly unknown[], T>(
    which: readonly Refusal[],
    run: (...args: Args) => Promise<T>,
    error: () => Error = () => new DatabaseUnavailable('away'),
  ) => {
    return (...args: Args): Promise<T> =>
      fault.is !== null && which.includes(fault.is) ? Promise.reject(error()) : run(...args);
  };
  const real = await (await createBareDatabase(t, engine)).open();
  const reading = ({ run }: Database['cachedRead']) => ({
    run: failing(['database'], run as never) as Database['read']['run'],
  });
  const database: Database = {
    ...real,
    read: reading(real.read),
    cachedRead: reading(real.cachedRead),
    slowRead: reading(real.slowRead),
    write: failing(['database'], real.write as never) as Database['write'],
  };
  const folder = createFolder(join(createTestFolder(t), 'files'));
  const stores = createStores(database, {
    fileStore: {
      ...folder,
      write: failing(['bucket'], failing(['disk'], folder.write, full), unreachable),
      remove: failing(['bucket'], folder.remove, unreachable),
    },
  });
  const { carryOut } = stores.receipts;
  const receipts = {
    ...stores.receipts,
    carryOut: failing(['commit'], carryOut) as typeof carryOut,
  };
  const carriedOut: string[] = [];
  /** Ends the request that holds the only place of the limit. */
  let release: (() => void) | null = null;
  const limit = limitRequests({ maxPerNetwork: 1, maxPerAccount: 1 });
  const site = createSite(
    { ...stores, receipts },
    {
      log: false,
      errors: { report: () => {} },
      forms: { limit: LIMIT },
    },
  )
    .post('/login', ({ request }) =>
      withSession(
        seeOther(toLocalPath(request.query.get('next')) ?? localPath('/')),
        startSession({ id: 1, name: 'ada' }),
      ),
    )
    .get('/hold', limit, async () => {
      await new Promise<void>((resolve) => {
        release = resolve;
      });
      return text('held');
    });
  const note = (kind: Kind, key: string | null) => {
    if (fault.is === '409')
      return { errors: [{ field: null, message: 'Taken' }], status: 409 } as const;
    return localPath(`/done/${carriedOut.push(`${kind} ${key}`)}`);
  };
  for (const [path, middleware] of [
    ['/open', [limit]],
    ['/members', [requireSession, limit]],
  ] as const) {
    const page = {
      button: 'Send',
      middleware: middleware as readonly [typeof limit],
      show: ({ formHtml }: { readonly formHtml: ReturnType<typeof html> }) =>
        html`<main>${formHtml}</main>`,
    };
    for (const kind of ['flat', 'file', 'rows'] as const) {
      formPage(site, localPath(`${path}/${kind}`) as '/x', FORMS[kind] as typeof FORMS.flat, {
        ...page,
        send: ({ form }) => note(kind, form.once),
      });
    }
    stepPages(site, `${path}/step` as '/x', ORDER, {
      ...page,
      send: () => note('step', null) as never,
    });
  }
  const hold = async (visitor: Visitor) => {
    const held = visitor.get('/hold');
    while (release === null) await new Promise(setImmediate);
    return async () => {
      release?.();
      release = null;
      await held;
    };
  };
  return { site, fault, carriedOut, hold };
}

const full = () => Object.assign(new Error('no space left on device'), { code: 'ENOSPC' });
const unreachable = () => new Error('connect ECONNREFUSED');

type Parts = Readonly<Record<string, unknown>>;

/** As a browser sends the form: with files, or without. */
async function send(visitor: Visitor, path: string, fields: Parts, kind: Kind) {
  if (FILES[kind] === null) return visitor.post(path, fields as Readonly<Record<string, string>>);
  const data = new FormData();
  for (const [name, value] of Object.entries(fields)) data.append(name, value as string | File);
  return visitor.post(path, data);
}

/** Sends the form, has it refused, goes on as the page says, and sends the same again. */
async function runRow(
  { site, fault, carriedOut, hold }: Awaited<ReturnType<typeof openSite>>,
  kind: Kind,
  refusal: Refusal,
  isMember: boolean,
): Promise<Row> {
  const before = carriedOut.length;
  const visitor = createVisitor(site);
  // A form that needs a log-in was opened by a user.
  const needsLogIn = isMember || refusal === '401';
  if (needsLogIn) await visitor.post('/login');
  let path = `${needsLogIn ? '/members' : '/open'}/${kind}`;
  if (kind === 'step') {
    const first = await visitor.submit(path, { who: 'Ada' });
    path = `${first.headers['Location']}`;
  }
  const page = bodyText(await visitor.get(path));
  const key = `${hiddenFields(page)['_once']}`;
  const field = FILES[kind];
  const file = field === null ? {} : { [field]: new File(['one,two'], 'list.csv') };
  const sent = {
    _once: key,
    note: refusal === '413' ? NOTE + 'x'.repeat(LIMIT) : NOTE,
    place: refusal === '400' ? '' : 'Shed',
    ...(kind === 'rows' ? { 'parts.0': 'row' } : {}),
    ...file,
  };
  const sender = refusal === '401' ? createVisitor(site) : visitor;
  const isSentStep = kind === 'step' && refusal === '409';
  if (isSentStep) {
    const check = await send(sender, path, { ...sent, note: 'Before' }, kind);
    await sender.submit(`${check.headers['Location']}`, {});
  }
  const free = refusal === '429' ? await hold(sender) : null;
  fault.is = refusal;
  const refused = await send(sender, path, sent, kind);
  fault.is = null;
  await free?.();
  const markup = bodyText(refused);
  const shown = hiddenFields(markup);
  const row = {
    status: refused.status,
    text: markup.includes('Two ladders &amp; &lt;one&gt; rope'),
  };
  if (isSentStep) return { ...row, file: 'none', carriedOut: carriedOut.length - before };

  let again: Parts = { ...sent, note: NOTE, place: 'Shed' };
  if (refusal === '401') {
    const [, link = ''] = /href="(\/login\?next=[^"]+)"/.exec(markup) ?? [];
    const filled = await sender.follow(await sender.post(link));
    again = { ...hiddenFields(bodyText(filled)), note: NOTE, place: 'Shed' };
    assert.match(bodyText(filled), /Two ladders &amp; &lt;one&gt; rope/);
  } else if (refusal !== '413') {
    again = { note: NOTE, place: 'Shed', ...shown };
  }
  const isParked = field !== null && /^[0-9a-f]{64} /.test(`${again[field]}`);
  const isNamed = field !== null && /Choose the file “list\.csv” again/.test(markup);
  if (field !== null && !isParked) again = { ...again, ...file };
  const done = await send(sender, path, again, kind);
  assert.equal(done.status, 303, `${kind} ${refusal} ${isMember}: ${bodyText(done)}`);
  const repeated = await send(sender, path, again, kind);
  assert.equal(repeated.headers['Location'], done.headers['Location']);
  if (kind === 'step') {
    const check = `${done.headers['Location']}`;
    const answers = hiddenFields(bodyText(await sender.get(check)));
    for (let count = 0; count < 2; count++)
      assert.equal((await sender.post(check, answers as never)).status, 303);
  }
  const state = isParked ? 'parked' : isNamed ? 'again' : 'sent anew';
  return { ...row, file: field === null ? 'none' : state, carriedOut: carriedOut.length - before };
}

function expected(kind: Kind, refusal: Refusal): Row {
  const status = /^\d/.test(refusal) ? Number(refusal) : 503;
  const file =
    kind === 'flat' || (kind === 'step' && refusal === '409')
      ? 'none'
      : refusal === '413'
        ? 'sent anew'
        : ['database', 'disk', 'bucket'].includes(refusal)
          ? 'again'
          : 'parked';
  return { status, text: true, file, carriedOut: 1 };
}

for (const { engine, name, skip } of ENGINES) {
  test(`every kind of form keeps its text and files at every refusal, and counts once (${name})`, {
    skip,
  }, async (t) => {
    const site = await openSite(t, engine);
    const found: Record<string, Row> = {};
    const wanted: Record<string, Row> = {};
    for (const kind of KINDS) {
      for (const refusal of REFUSALS) {
        if (kind === 'flat' && (refusal === 'disk' || refusal === 'bucket')) continue;
        for (const isMember of [false, true]) {
          const id = `${kind} | ${refusal} | ${isMember ? 'member' : 'visitor'}`;
          found[id] = await runRow(site, kind, refusal, isMember);
          wanted[id] = expected(kind, refusal);
        }
      }
    }
    assert.deepEqual(found, wanted);
  });
}
