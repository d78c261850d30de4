import assert from 'node:assert/strict';
import test from 'node:test';
import { languageSlot } from '../http/request-language.ts';
import { english } from '../language/english.ts';
import { german } from '../language/german.ts';
import type { Session, SessionUser } from '../session/session.ts';
import { get } from '../testing/make-request.ts';
import { createPageTags } from './page-tags.ts';

type Visit = Parameters<ReturnType<typeof createPageTags>>;

const ADA = { id: 1, name: 'ada' };

function visit(
  version: string,
  user: SessionUser | null,
  target: string,
  language = english,
): Visit {
  const session = user === null ? null : ({ user } as Session);
  const request = get(target);
  languageSlot.set(request, language);
  return [version, session, request];
}

/**
 * Some of them are equal when their parts are concatenated. The last one has another version, which
 * clears the cache.
 */
const VISITS: readonly Visit[] = [
  visit('v1', ADA, '/items'),
  visit('v1', ADA, '/items?page=2'),
  visit('v1', { id: 2, name: 'ada' }, '/items'),
  visit('v1', { id: 1, name: 'bob' }, '/items'),
  visit('v1', { id: 1, name: 'ada/items' }, ''),
  visit('v1', { id: 1, name: '3 ada' }, '/items'),
  visit('v1', { id: 13, name: 'ada' }, '/items'),
  visit('v1', { id: '1', name: 'ada' }, '/items'),
  visit('v1', ADA, '/items', german),
  visit('v1', null, '/items'),
  visit('v1', null, '[{"id":1,"name":"ada"}]/items'),
  visit('v1', null, ' /items'),
  visit('v2', ADA, '/items'),
];

test('a cached tag is never used for another user, URL, language or version', () => {
  const kept = createPageTags();
  const tags = [...VISITS, ...VISITS.toReversed(), ...VISITS].map((one) => kept(...one).tag);
  const alone = VISITS.map((one) => createPageTags()(...one).tag);
  assert.deepEqual(tags, [...alone, ...alone.toReversed(), ...alone]);
  assert.equal(new Set(tags).size, VISITS.length);
});

test('the headers of a page are frozen, and the same object until the version changes', () => {
  const kept = createPageTags();
  const headersAt = (version: string) => kept(...visit(version, ADA, '/items')).headers;
  const first = headersAt('v1');
  assert.ok(Object.isFrozen(first));
  assert.equal(headersAt('v1'), first);
  assert.notEqual(headersAt('v2'), first);
  assert.notEqual(headersAt('v1'), first, 'what was forgotten came back');
});

test('the cache is limited in entries, and long URLs are not cached', () => {
  const kept = createPageTags();
  const headersOf = (target: string) => kept(...visit('v1', null, target)).headers;
  const first = headersOf('/items');
  for (let page = 1; page < 1_000; page++) headersOf(`/items?page=${page}`);
  assert.equal(headersOf('/items'), first, 'as many as there may be');
  headersOf('/items?page=1000');
  assert.notEqual(headersOf('/items'), first);
  const long = `/items?q=${'x'.repeat(500)}`;
  assert.notEqual(headersOf(long), headersOf(long));
  assert.deepEqual(headersOf(long), headersOf(long));
});
