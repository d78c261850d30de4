/**
 * What the requests with a budget cost. Route, guarded route and upload are those of a bare site of the framework; all
 * others are of the application, with 200 items on SQLite.
 */
import { statSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import {
  createMemoryStores,
  createRouter,
  createSite,
  defineForm,
  formPage,
  html,
  loadFiles,
  localPath,
  type Middleware,
  text,
} from 'seeother';
import { fileField } from 'seeother/fields';
import type { Application } from 'seeother/node';
import { observe } from 'seeother/observe';
import { openSqlite } from 'seeother/sqlite';
import {
  bodyText,
  type Cost,
  countCost,
  createVisitor,
  get,
  hiddenFields,
  post,
  type RequestInit,
} from 'seeother/testing';
import { createDatabase, type Database } from '../database/kysely.ts';
import { createModels } from '../models.ts';
import { createApplication } from '../router.ts';
import { type Config, readConfig } from '../settings/config.ts';
import { setRegion } from '../site/format.ts';
import { CHEAP } from './cheap-passwords.ts';
import { createTestDatabase, fileOf } from './create-test-database.ts';
import { fillItems } from './fill-items.ts';
import { encodeForm } from './upload-file.ts';

/** Of a request. `logged` are the bytes in the log of SQLite. */
export type Counts = Omit<Cost, 'further'> & { readonly logged: number };

type Count = (
  name: string,
  site: Application,
  request: Parameters<typeof countCost>[1],
) => Promise<void>;

/** Few, because V8 compiles nothing: see scripts/budgets.ts. */
const FEW = { warmUp: 20, requests: 60 };

export async function countRequests(): Promise<Readonly<Record<string, Counts>>> {
  const all: Record<string, Counts> = {};
  let readLog = () => 0;
  const count: Count = async (name, site, request) => {
    const further = { logged: () => readLog() };
    const { further: own, ...cost } = await countCost(site, request, { ...FEW, further });
    all[name] = { ...cost, logged: own['logged'] ?? 0 };
  };
  const { url, drop } = await createTestDatabase('sqlite');
  const door = await openSqlite(fileOf(url));
  const database = createDatabase(door);
  // Keeps the log from being started anew, so that its size tells what was written.
  const reader = new DatabaseSync(fileOf(url), { readOnly: true });
  try {
    await fillItems(database, 200);
    reader.exec('begin; select 1 from items');
    readLog = () => statSync(`${fileOf(url)}-wal`).size;
    const config = readConfig({ DATABASE_URL: url, TIME_ZONE: 'UTC' });
    setRegion(config);
    const site = createSiteOn(database, config);
    // Without the cache of rows, statements are those after every change.
    const uncached = createSiteOn(createDatabase({ ...door, cachedRead: door.read }), config);
    await countApplication(count, site, uncached);
    await countBareSites(count);
  } finally {
    reader.close();
    await database.close();
    await drop();
  }
  return all;
}

function createSiteOn(database: Database, config: Config): Application {
  return createApplication({
    config,
    models: createModels(database, {
      config,
      logSecurity: () => {},
      hashes: CHEAP,
      fileStore: createMemoryStores().files.bytes,
    }),
    files: loadFiles(join(import.meta.dirname, '../public')),
    health: {
      checkDatabase: database.check,
      writeFailure: database.writeFailure,
      canStoreFiles: () => true,
      isDraining: () => false,
    },
    log: () => {},
    report: ({ error }) => {
      throw error;
    },
    logSecurity: () => {},
    importRunner: undefined,
    around: [observe()],
  });
}

async function countBareSites(count: Count): Promise<void> {
  const passOn: Middleware = (context, next) => next(context);
  const route = createRouter()
    .use(passOn)
    .use(passOn)
    .get('/items/:number', ({ params }) => text(`Item ${params.number}`));
  const options = { log: { write: () => {} } };
  const guarded = createSite(createMemoryStores(), options).get('/items/:number', ({ params }) =>
    text(`Item ${params.number}`),
  );
  const upload = formPage(
    createSite(createMemoryStores(), options),
    '/upload',
    defineForm({ file: fileField({ label: 'File', required: 'Choose a file', maxSize: 200_000 }) }),
    {
      button: 'Send',
      show: ({ formHtml }) => html`<!doctype html><title>Upload</title>${formHtml}`,
      send: () => localPath('/'),
    },
  );
  await count('route', route, get('/items/42'));
  await count('guarded', guarded, get('/items/42'));
  const file = new File([Buffer.alloc(100_000, 'a line of text\n')], 'letter.txt');
  const make = async () => {
    const page = bodyText(await upload.handle(get('/upload')));
    const { body, type } = await encodeForm({ ...hiddenFields(page), file });
    return post('/upload', body, { headers: { 'content-type': type } });
  };
  await count('upload of 100 KB', upload, make);
}

async function countApplication(
  count: Count,
  site: Application,
  uncached: Application,
): Promise<void> {
  const visitor = createVisitor(site);
  const account = { username: 'ada', password: 'correct horse battery' };
  await visitor.submit('/register', account);
  const cookie = ['sid', 'device'].map((name) => `${name}=${visitor.cookie(name)}`).join('; ');
  const member: RequestInit = { headers: { cookie } };
  const etag = String((await site.handle(get('/items', member))).headers['ETag']);
  let page = 1_000;
  const fields = {
    name: 'Cordless drill',
    description: 'Charge one battery when you take the other.',
    quantity: '3',
    location: 'Workshop, wall',
    tags: 'tools, lent out often',
  };
  const hidden = async () => hiddenFields(bodyText(await site.handle(get('/items/new', member))));
  const create = async () => post('/items', { ...(await hidden()), ...fields }, member);
  // As a browser sends it: all fields, with an empty file where none was chosen.
  const createAsBrowser = async () => {
    const files = new File([], '', { type: 'application/octet-stream' });
    const empty = { minimum: '', serial: '', code: '', files, button: 'save' };
    const { body, type } = await encodeForm({ ...(await hidden()), ...fields, ...empty });
    const headers = { ...member.headers, 'content-type': type };
    return post('/items', body, { headers });
  };
  const wrong = { ...(await hidden()), ...fields, name: '', quantity: 'many' };
  await count('health', site, get('/healthz'));
  await count('list', site, get('/items', member));
  await count('list-304', site, get('/items', { headers: { cookie, 'if-none-match': etag } }));
  // Beyond the last page comes the last page, and no cache knows this one.
  await count('list-anew', uncached, () => get(`/items?page=${page++}`, member));
  await count('item', site, get('/items/7', member));
  await count('empty form', site, get('/items/new', member));
  await count('refused form', site, () => post('/items', wrong, member));
  await count('log-in page', site, get('/login'));
  await count('style sheet', site, get('/styles.css'));
  await count('create', site, create);
  await count('create, multipart', site, createAsBrowser);
}
