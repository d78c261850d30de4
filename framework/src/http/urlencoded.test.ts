import assert from 'node:assert/strict';
import test from 'node:test';
import { HttpError } from './http-error.ts';
import { type Entry, parseUrlencoded } from './urlencoded.ts';

const parse = (body: string) => parseUrlencoded(new TextEncoder().encode(body));
const fine = (name: string, text: string): Entry => ({ name, text, flaw: null });
const only = (body: string | Uint8Array) => {
  const entries = typeof body === 'string' ? parse(body) : parseUrlencoded(body);
  assert.equal(entries.length, 1);
  return entries[0];
};

test('fields come in the order they were sent, repeated ones too', () => {
  assert.deepEqual(parse('b=1&a=2&b=3'), [fine('b', '1'), fine('a', '2'), fine('b', '3')]);
});

test('an empty body and stray ampersands have no fields', () => {
  assert.deepEqual(parse(''), []);
  assert.deepEqual(parse('&&a=1&&&b=2&'), [fine('a', '1'), fine('b', '2')]);
});

test('a field without an equals sign is empty; only the first one separates', () => {
  assert.deepEqual(parse('a&b=&=c&d=e=f'), [
    fine('a', ''),
    fine('b', ''),
    fine('', 'c'),
    fine('d', 'e=f'),
  ]);
});

test('a plus is a space, and an escaped plus is a plus', () => {
  assert.deepEqual(only('a+b=1+%2B+2'), fine('a b', '1 + 2'));
});

test('percent escapes are decoded once, in names and in texts', () => {
  assert.deepEqual(only('%61=%2525%26%3D'), fine('a', '%25&='));
});

test('a percent sign that starts no escape stays a percent sign', () => {
  assert.deepEqual(only('a=100%'), fine('a', '100%'));
  assert.deepEqual(only('a=%zz%4%+%2'), fine('a', '%zz%4% %2'));
  assert.deepEqual(only('a=%%41'), fine('a', '%A'));
});

test('text beyond ASCII is read as UTF-8, escaped or not', () => {
  assert.deepEqual(only('a=%F0%9F%8E%89+caf%c3%a9'), fine('a', '🎉 café'));
  assert.deepEqual(only('näme=日本 🎉'), fine('näme', '日本 🎉'));
  assert.deepEqual(only('a=%EF%BB%BFb'), fine('a', '\ufeffb'));
});

test('text that is not UTF-8 is marked, with U+FFFD for its invalid bytes', () => {
  for (const bytes of ['%FF', '%C3', '%C0%AF', '%ED%A0%80', '%F5%80%80%80']) {
    const entry = only(`a=x${bytes}y`);
    assert.equal(entry?.flaw, 'encoding', bytes);
    assert.match(entry?.text ?? '', /^x\ufffd+y$/);
  }
  assert.deepEqual(only(new Uint8Array([97, 61, 0xe9])), {
    name: 'a',
    text: '\ufffd',
    flaw: 'encoding',
  });
});

test('text with a NUL is marked, with U+FFFD for each NUL', () => {
  assert.deepEqual(only('a=x%00y'), { name: 'a', text: 'x\ufffdy', flaw: 'nul' });
  assert.deepEqual(only('a=x\0y'), { name: 'a', text: 'x\ufffdy', flaw: 'nul' });
});

test('a flaw of one field does not affect the others', () => {
  assert.deepEqual(
    parse('a=%FF&b=fine&c=%00').map(({ flaw }) => flaw),
    ['encoding', null, 'nul'],
  );
});

test('the output of a browser is read back', () => {
  const all = Array.from({ length: 0x24f }, (_, code) => String.fromCharCode(code + 1)).join('');
  for (const text of [all, '\r\n', ' + ', '%', '&=', '🎉👩‍👩‍👧', '']) {
    const written = new URLSearchParams({ [text]: text }).toString();
    assert.deepEqual(only(written), fine(text, text));
  }
});

test('two hundred fields are read, one more is refused with 400', () => {
  assert.equal(parse('a=1&'.repeat(200)).length, 200);
  assert.throws(
    () => parse('a=1&'.repeat(201)),
    (error) =>
      error instanceof HttpError &&
      error.status === 400 &&
      /more than 200 fields/.test(error.message),
  );
});
