/**
 * One response of each kind, over http and https, for tests of headers and bodies. They are created
 * once per scheme, because log-ins are slow.
 */
import assert from 'node:assert/strict';
import type { TestContext } from 'node:test';
import type { Request, Response } from 'seeother';
import { createVisitor, get, request } from 'seeother/testing';
import { createTestApplication, headerOf, PASSWORD } from '../testing/create-test-application.ts';

export interface Sample {
  readonly name: string;
  readonly status: number;
  readonly answer: Response;
}

type Scheme = 'http' | 'https';

const known = new Map<Scheme, Promise<readonly Sample[]>>();

export function sampleAnswers(t: TestContext, scheme: Scheme = 'http'): Promise<readonly Sample[]> {
  const samples = known.get(scheme) ?? makeSamples(t, scheme);
  known.set(scheme, samples);
  return samples;
}

/** By decision, an invalid form is a 400. */
async function makeSamples(t: TestContext, scheme: Scheme): Promise<readonly Sample[]> {
  const application = await createTestApplication(t);
  const failing = await createTestApplication(t, {
    replace: ({ items }) => ({
      items: { ...items, list: () => Promise.reject(new Error('away')) },
    }),
  });
  const account = { username: 'ada', password: PASSWORD };
  const member = createVisitor(application);
  const again = { passwordagain: PASSWORD };
  const registered = await member.post('/register', { ...account, ...again }, { scheme });
  assert.equal(registered.status, 303);
  const name = scheme === 'https' ? '__Host-sid' : 'sid';
  const cookie = `${name}=${member.cookie(name)}`;
  const ask = (target: string, headers: Request['headers'] = {}) =>
    application.handle(get(target, { scheme, headers }));
  const send = (target: string, body: string, headers: Request['headers'] = {}) =>
    application.handle(request('POST', target, Buffer.from(body), { scheme, headers }));
  const askAgain = async (target: string) =>
    ask(target, { 'if-none-match': headerOf(await ask(target), 'ETag') });
  // First, because the requests below change the page.
  const unchanged = await askAgain('/items');
  const list: readonly (readonly [string, number, Response | Promise<Response>])[] = [
    ['the start', 303, ask('/')],
    ['a page', 200, ask('/items')],
    ['a page not modified', 304, unchanged],
    ['the form of an item', 200, ask('/items/new', { cookie })],
    ['a guard', 303, ask('/items/new')],
    ['a stale cookie', 200, ask('/items', { cookie: `${name}=${'A'.repeat(43)}` })],
    ['a created item', 303, send('/items', 'name=Drill', { cookie })],
    ['a registration', 303, registered],
    ['a log-in', 303, send('/login', new URLSearchParams(account).toString())],
    ['an invalid form', 400, send('/items', 'name=', { cookie })],
    ['a malformed path', 400, ask('/%ff')],
    ['no session', 401, send('/items', 'name=x')],
    ['another site', 403, send('/items', 'name=x', { 'sec-fetch-site': 'cross-site' })],
    ['closed registration', 403, send('/register', 'username=bob&password=short')],
    ['no route', 404, ask('/nothing')],
    ['no item', 404, ask('/items/999')],
    ['too large', 413, send('/items', 'name=x', { cookie, 'content-length': '99999999' })],
    ['no form', 415, send('/items', 'name=x', { cookie, 'content-type': 'text/plain' })],
    ['a bug', 500, failing.handle(get('/items', { scheme }))],
    ['a file', 200, ask('/styles.css')],
    ['a file not modified', 304, askAgain('/styles.css')],
    ['health', 200, ask('/healthz')],
    ['HEAD', 200, application.handle(request('HEAD', '/items', null, { scheme }))],
  ];
  return Promise.all(
    list.map(async ([name, status, one]) => ({ name, status, answer: await one })),
  );
}
