/**
 * What the code that serves never does, found in its text: the attacks on it then need no defence. A new place
 * is either safe and listed here with its reason, or rewritten.
 */
import assert from 'node:assert/strict';
import test from 'node:test';
import { listFiles, readText } from './project-files.ts';

/** The framework, the application and the projects of create, without tests. */
const SERVED = ['framework/src', 'application', 'create/templates']
  .flatMap(listFiles)
  .filter((file) => /\.(?:ts|js)$/.test(file))
  .filter(
    (file) => !/(?:\.test|\.types\.test|\.contract|\.fixture|\.program|\/tests)\.ts$/.test(file),
  )
  .filter((file) => !/^(?:framework\/src|application)\/(?:testing|security)\//.test(file));

/** The files whose code, without comments, has the pattern; each as often as it has it. */
function find(pattern: RegExp, files = SERVED): readonly string[] {
  return files.flatMap((file) => {
    const code = readText(file).replaceAll(/^\s*(?:\/\*\*[\s\S]*?\*\/|\/\/.*$|\*.*$)/gm, '');
    return [...code.matchAll(pattern)].map(([, found]) => `${file}${found ? `: ${found}` : ''}`);
  });
}

test('the checks find the code', () => {
  assert.ok(SERVED.length > 400, `only ${SERVED.length} files`);
  assert.ok(find(/(node:crypto)'/g).length > 20);
});

test('no code that serves starts a program, or runs text as code', () => {
  const calls =
    /(node:child_process|node:vm|\beval\(|\bnew Function\b|\bsetTimeout\(\s*['"`]|xml2js|DOMParser)/g;
  assert.deepEqual(find(calls), [
    // Starts the program of a developer again.
    'framework/src/server/develop.ts: node:child_process',
    // Starts Node itself, with a file of this project and the path of the database, and no shell.
    'application/maintenance/damage.ts: node:child_process',
    // The same for the process that decodes photos, without the environment of this one.
    'application/pictures/picture-maker.ts: node:child_process',
  ]);
});

test('a regular expression is made of text of the code alone', () => {
  // Each argument is a constant, or a table of this project.
  assert.deepEqual(
    [...new Set(find(/\bnew RegExp\(/g))],
    [
      'framework/src/accounts/recovery-codes.ts',
      'framework/src/http/entity-tag.ts',
      'framework/src/http/html-places.ts',
      'framework/src/http/http-date.ts',
      'framework/src/language/numbers.ts',
      'framework/src/middleware/refuse-foreign-host.ts',
      'framework/src/session/form-key.ts',
      'application/imports/not-a-thing.ts',
      'application/imports/read-location.ts',
      'application/imports/value-kinds.ts',
      'application/items/search-words.ts',
      'application/site/fold-text.ts',
    ],
  );
});

test('hashes are SHA-256, of Node, but for the names of breached passwords', () => {
  const named = find(/\b(?:createHash|createHmac|hash)\(\s*'([\w-]+)'/g);
  assert.ok(named.length > 10, `only ${named.length} hashes`);
  assert.deepEqual(
    named.filter((one) => !one.endsWith(': sha256')),
    // The lists of breached passwords have them as SHA-1. It finds a line there, and protects nothing.
    ['framework/src/accounts/breached-passwords.ts: sha1'],
  );
  assert.deepEqual(find(/'(crypto-js|bcrypt\w*|argon2|md5|sha\.?js)'/g), []);
});

test('no random number that can be guessed makes a secret', () => {
  assert.deepEqual(find(/\bMath\.random\(/g), [
    // Pauses of different lengths, before something is tried again.
    'framework/src/database/outbox.ts',
    'framework/src/database/write.ts',
  ]);
});

test('the scripts of the pages store no data of anybody and write no markup', () => {
  const scripts = SERVED.filter((file) => file.endsWith('.js'));
  assert.ok(scripts.includes('application/public/seeother.js'), `${scripts}`);
  const calls =
    /(localStorage|sessionStorage|indexedDB|document\.cookie|innerHTML|outerHTML|insertAdjacentHTML|document\.write|postMessage)/g;
  assert.deepEqual(
    [...new Set(find(calls, scripts))],
    // Whether the camera is on, and the code it has just read, for the next page of this tab.
    ['application/public/scan.js: sessionStorage'],
  );
});
