import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import test from 'node:test';
import { english } from './english.ts';
import { french } from './french.ts';
import { german } from './german.ts';
import { createLanguage, type Language } from './language.ts';
import type { Words } from './words.ts';

const LANGUAGES = [english, german, french];

/** A text of the framework with values for all that it takes. */
function say(language: Language, name: keyof Words): string {
  const text = language.words[name] as string | object | ((...values: unknown[]) => string);
  if (typeof text !== 'function')
    return typeof text === 'string' ? text : Object.values(text).join();
  if (name === 'datePartsMissing') return text('Alpha', ['day', 'month']);
  return /^(bodyTooLarge|tooManyFields|tooManyFiles|textTooLarge|entryCount|onlyFirst|moreAnswers|pageOf|stepNumber)$/.test(
    name,
  )
    ? text(2, 3)
    : text('Alpha', name === 'inRow' ? 'Beta' : 2, 3);
}

/** Those of accounts have a test of their own: English has them in the code. */
const NAMES = (Object.keys(english.words) as (keyof Words)[]).filter((name) => name !== 'accounts');

test('every text of the framework is used', () => {
  const folder = join(import.meta.dirname, '..');
  const sources = globSync('**/*.ts', { cwd: folder, exclude: ['language/**', '**/*.test.ts'] });
  const code = sources.map((file) => readFileSync(join(folder, file), 'utf8')).join('\n');
  // validate-form.ts has three names in a list, and page-links.ts looks up its own.
  const used = /\bwords\.(\w+)|(?:say\()?'(unreadable|hasNul|sentTwice|\w+Pages?|pages|pageOf)'/g;
  const names = new Set([...code.matchAll(used)].map(([, name, listed]) => name ?? listed));
  assert.deepEqual(
    NAMES.filter((name) => !names.has(name)),
    [],
  );
});

test('every text of a language is another one than in English, and says all that it is given', () => {
  for (const language of [german, french]) {
    const copied = NAMES.filter((name) => say(language, name) === say(english, name));
    assert.deepEqual(
      copied.filter((name) => name !== 'optional'),
      [],
      language.code,
    );
  }
  for (const name of NAMES) {
    const given = ['Alpha', '2', '3'].filter((value) => say(english, name).includes(value));
    for (const language of LANGUAGES) {
      const lost = given.filter((value) => !say(language, name).includes(value));
      assert.deepEqual(lost, [], `${name} in ${language.code}`);
    }
  }
});

test('a text with a number has the plural of the language', () => {
  const messages = [0, 1, 2, 1_000].map((max) => french.words.tooManyEntries('X', max));
  assert.deepEqual(
    messages.map((message) => /\d[\d\s]*éléments?/.exec(message)?.[0]),
    ['0 élément', '1 élément', '2 éléments', '1\u202f000 éléments'],
  );
});

test('a language writes numbers in sentences as it writes all numbers', () => {
  const swiss = createLanguage({ ...german, code: 'de-CH' });
  assert.match(german.words.tooLong('X', 1_000), /höchstens 1\.000 Zeichen/);
  assert.match(swiss.words.tooLong('X', 1_000), /höchstens 1['’]000 Zeichen/);
});

test('a text of the application is looked up, and shown as it is if it is missing', () => {
  const ours = createLanguage({ ...german, texts: { 'Your name': 'Ihr Name' } });
  assert.equal(ours.translate('Your name'), 'Ihr Name');
  assert.equal(ours.translate('Your age'), 'Your age');
  assert.equal(ours.translate('constructor'), 'constructor');
  assert.equal(german.translate('Your name'), 'Your name');
});

test('the direction of a language is that of its script', () => {
  const directionOf = (code: string) => createLanguage({ ...english, code }).direction;
  assert.deepEqual(['en', 'ar', 'fa', 'he', 'ja'].map(directionOf), [
    'ltr',
    'rtl',
    'rtl',
    'rtl',
    'ltr',
  ]);
});

test('a list ends with the word of the language', () => {
  assert.equal(german.formatList(['Ada', 'Bob', 'Eve']), 'Ada, Bob und Eve');
});

test('a language without texts or with a wrong code is an error that says what to pass', () => {
  // @ts-expect-error a language needs texts
  assert.throws(() => createLanguage({ code: 'nl' }), {
    name: 'TypeError',
    message: /^Cannot make the language "nl" without writeWords\. Start from one/,
  });
  assert.throws(() => createLanguage({ ...english, code: 'de_DE' }), {
    name: 'TypeError',
    message:
      'Cannot make a language with the code "de_DE": write it as in HTML, such as de or de-AT.',
  });
});

test('a language that lacks a text does not compile', () => {
  const { tooLong: _, ...others } = english.words;
  // @ts-expect-error tooLong is missing
  const language = createLanguage({ code: 'nl', writeWords: () => others });
  assert.equal(language.words.tooLong, undefined);
});
