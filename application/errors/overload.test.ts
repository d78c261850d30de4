import assert from 'node:assert/strict';
import test from 'node:test';
import { bodyText, get, post } from 'seeother/testing';
import { createBusyAnswer } from './overload.ts';

const answer = createBusyAnswer();

test('a shed request gets a page in a browser and text in a program', () => {
  for (const headers of [{}, { accept: 'text/html,*/*;q=0.8' }]) {
    const busy = answer(get('/items', { headers }));
    assert.equal(busy.status, 503);
    assert.equal(busy.headers['Retry-After'], '5');
    assert.equal(busy.headers['Content-Type'], 'text/html; charset=utf-8');
    assert.match(bodyText(busy), /too many requests.*Try again/s);
  }
  const plain = answer(get('/items', { headers: { accept: 'application/json' } }));
  assert.equal(plain.headers['Content-Type'], 'text/plain; charset=utf-8');
  assert.equal(plain.headers['Retry-After'], '5');
});

test('a shed form says that nothing was saved, and how to get back to the typed text', () => {
  const busy = answer(post('/items', { name: 'Lamp' }, { headers: { accept: 'text/plain' } }));
  assert.equal(busy.headers['Content-Type'], 'text/html; charset=utf-8');
  const markup = bodyText(busy);
  assert.match(markup, /Nothing was saved or changed\./);
  assert.match(markup, /Go back to the form/);
});
