import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import test from 'node:test';
import { html } from 'seeother';
import { layout } from './layout.ts';

const SHEET = readFileSync(join(import.meta.dirname, '../public/styles.css'), 'utf8').replaceAll(
  /\/\*.*?\*\//gs,
  '',
);
const [VALUES = ''] = /:root \{.*?\n\}/s.exec(SHEET) ?? [];
const RULES = SHEET.replace(VALUES, '');

test('rules name no colour, and no length that is a design value', () => {
  const rules = RULES.replace(/@media print \{.*?\n\}/gs, '').replace(/@media [^{]*/g, '');
  assert.deepEqual(rules.match(/#[\da-f]{3,8}\b|(?:rgb|hsl|oklch|light-dark)\(/gi), null);
  const lengths: readonly string[] = rules.match(/(?<![\w-])\d*\.?\d+(?:rem|px)\b/g) ?? [];
  const repeated = lengths.filter(
    (length, at) => VALUES.includes(`: ${length};`) || lengths.indexOf(length) !== at,
  );
  // What a finger needs replaces two of the values.
  assert.deepEqual(repeated, ['2.75rem']);
});

test('every design value is used, and every value that a rule uses is defined', () => {
  const defined = new Set([...VALUES.matchAll(/^ {2}(--[\w-]+):/gm)].map(([, name]) => name));
  const used = new Set([...SHEET.matchAll(/var\((--[\w-]+)\)/g)].map(([, name]) => name));
  assert.deepEqual([...defined].sort(), [...used].sort());
});

test('theme-color is the background of the page in both colour schemes', () => {
  const [, light, dark] = /--paper: light-dark\((#\w+), (#\w+)\)/.exec(VALUES) ?? [];
  const { markup } = layout({ title: 'x', viewer: null, main: html`` });
  for (const [scheme, colour] of Object.entries({ light, dark }))
    assert.ok(
      markup.includes(`content="${colour}" media="(prefers-color-scheme: ${scheme})"`),
      scheme,
    );
});

test('every page but the log-in page is closed to search engines', () => {
  const page = { title: 'x', viewer: null, main: html`` };
  assert.match(layout(page).markup, /<meta name="robots" content="noindex">/);
  assert.doesNotMatch(layout({ ...page, section: 'log in' }).markup, /robots/);
});
