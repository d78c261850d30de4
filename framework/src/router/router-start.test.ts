import assert from 'node:assert/strict';
import test from 'node:test';
import { text } from '../http/response.ts';
import { serve } from '../server/node-server.ts';
import { get } from '../testing/make-request.ts';
import { createRouter } from './router.ts';

const answer = () => text('an answer');
const shadowed = (shadowedRoutes?: 'warning' | 'ignore') =>
  createRouter(shadowedRoutes === undefined ? {} : { shadowedRoutes })
    .get('/items/:name', answer)
    .get('/items/new', answer);

test('a route that is never reached is an error before the first request', () => {
  const message =
    /GET \/items\/new, registered at [\s\S]+is never reached[\s\S]+GET \/items\/:name/;
  assert.throws(() => shadowed().prepare(), message);
  assert.throws(() => shadowed().handle(get('/')), message);
});

test('a server does not start with a route that is never reached', async () => {
  const options = { host: '127.0.0.1', port: 0 };
  await assert.rejects(serve(shadowed(), options), /is never reached/);
});

test('by an option of the router it is a warning, or nothing', async (t) => {
  const warn = t.mock.method(process, 'emitWarning', () => {});
  assert.equal((await shadowed('ignore').handle(get('/items/new'))).status, 200);
  assert.equal(warn.mock.callCount(), 0);
  assert.equal((await shadowed('warning').handle(get('/items/new'))).status, 200);
  assert.match(String(warn.mock.calls[0]?.arguments[0]), /is never reached/);
});
