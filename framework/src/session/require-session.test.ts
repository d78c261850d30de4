import assert from 'node:assert/strict';
import test from 'node:test';
import type { Context, Passed } from '../chain/context.ts';
import { HttpError } from '../http/http-error.ts';
import { type Response, text } from '../http/response.ts';
import { get, post, request } from '../testing/make-request.ts';
import { createRequireSession, requireSession } from './require-session.ts';
import type { LoggedIn, Session, SessionContext } from './session.ts';

const SESSION: Session = {
  key: 'a'.repeat(64),
  user: { id: 1, name: 'ada' },
  startedAt: new Date(0),
  seenAt: new Date(0),
  endsAt: new Date(1),
  remembered: false,
  agent: '',
  address: '127.0.0.1',
  flashes: [],
  draft: null,
  superseded: false,
};

function contextOf(request: Context['request'], session: Session | null): Context & SessionContext {
  return { request, route: null, session, flash: null, flashAction: null };
}

function greet(context: LoggedIn) {
  return text(`Hello, ${context.session.user.name}`) as Response as Passed;
}

function neverReached(): never {
  assert.fail('the handler ran without a session');
}

test('with a session the handler runs', async () => {
  const answer = await requireSession(contextOf(get('/account'), SESSION), greet);
  assert.deepEqual(answer, text('Hello, ada'));
});

test('a GET without a session is redirected to the log-in form, with the path to return to', async () => {
  const answer = await requireSession(
    contextOf(get('/items/new?from=/a b&x=%20&tag=a&tag=b'.replace(' ', '+')), null),
    neverReached,
  );
  assert.equal(answer.status, 303);
  assert.deepEqual(answer.headers, {
    Location: '/login?next=%2Fitems%2Fnew%3Ffrom%3D%2Fa%2Bb%26x%3D%2520%26tag%3Da%26tag%3Db',
  });
  const next = new URLSearchParams(String(answer.headers['Location']).split('?')[1]).get('next');
  assert.equal(next, '/items/new?from=/a+b&x=%20&tag=a&tag=b');
});

test('HEAD without a session is answered as GET is', async () => {
  const answers = await Promise.all(
    ['GET', 'HEAD'].map((method) =>
      requireSession(contextOf(request(method, '/account', null), null), neverReached),
    ),
  );
  assert.equal(answers[0]?.status, 303);
  assert.deepEqual(answers[1], answers[0]);
});

test('a form without a session is refused with 401 and a challenge, and not redirected', () => {
  const refused = (error: unknown) => {
    assert(error instanceof HttpError);
    assert.equal(error.status, 401);
    assert.match(String(error.headers['WWW-Authenticate']), /^Cookie realm="[^"]+"$/);
    assert.match(error.message, /not logged in/);
    return true;
  };
  assert.throws(
    () => requireSession(contextOf(post('/items', { name: 'Lamp' }), null), neverReached),
    refused,
  );
  for (const method of ['PUT', 'PATCH', 'DELETE', 'OPTIONS']) {
    const context = contextOf(request(method, '/items', null), null);
    assert.throws(() => requireSession(context, neverReached), refused, method);
  }
});

test('the log-in form can have another path', async () => {
  const requireMember = createRequireSession({ logInPath: '/members/enter' });
  const answer = await requireMember(contextOf(get('/account'), null), neverReached);
  assert.equal(answer.headers['Location'], '/members/enter?next=%2Faccount');
});

test('a chain without loadSession is an error, and the handler does not run', () => {
  const context = { request: get('/items'), route: null } as Context & SessionContext;
  assert.throws(
    () => requireSession(context, neverReached),
    /^TypeError: Cannot require a session: .* Put loadSession\(\{ store \}\) before requireSession.$/,
  );
});
