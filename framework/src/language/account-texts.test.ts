import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import test from 'node:test';
import { accountsInFrench } from './accounts-in-french.ts';
import { accountsInGerman } from './accounts-in-german.ts';

const LANGUAGES = { german: accountsInGerman, french: accountsInFrench };

/** The same word in the other languages. */
const INTERNATIONAL = ['Passkey', 'Passkeys'];

/** The names in braces, in any order. */
function placeholders(text: string): readonly string[] {
  return [...text.matchAll(/\{\w+\}/g)].map(([name]) => name).sort();
}

for (const [language, texts] of Object.entries(LANGUAGES)) {
  test(`every text of accounts in ${language} says all that it is given, and nothing else`, () => {
    for (const [english, text] of Object.entries(texts))
      assert.deepEqual(placeholders(text), placeholders(english), english);
  });

  test(`no text of accounts in ${language} is left in English`, () => {
    const copied = Object.entries(texts).filter(
      ([english, text]) => english === text && !INTERNATIONAL.includes(english),
    );
    assert.deepEqual(copied, []);
  });

  test(`a text of accounts in ${language} ends like the English one`, () => {
    const different = Object.entries(texts).filter(
      ([english, text]) => /[.:?]?$/.exec(english)?.[0] !== /[.:?]?$/.exec(text)?.[0],
    );
    assert.deepEqual(different, []);
  });
}

test('French has a no-break space before a colon, a semicolon and a question mark', () => {
  const wrong = Object.values(accountsInFrench).filter((text) =>
    /[^\u00a0][:;?!](?= |$)/.test(text),
  );
  assert.deepEqual(wrong, []);
});

test('every text of accounts stands in their code', () => {
  const folder = join(import.meta.dirname, '..', 'accounts');
  const code = globSync('*.ts', { cwd: folder, exclude: ['*.test.ts'] })
    .map((file) => readFileSync(join(folder, file), 'utf8'))
    .join('\n');
  const unused = Object.keys(accountsInGerman).filter((text) => !code.includes(`'${text}'`));
  assert.deepEqual(unused, []);
});
