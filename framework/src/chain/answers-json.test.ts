import assert from 'node:assert/strict';
import test from 'node:test';
import { preferJson } from './answers-json.ts';

test('JSON is preferred by its weight, or because it is named', () => {
  for (const [accept, preferred] of [
    [undefined, 'equal'],
    ['', 'equal'],
    ['*/*', 'equal'],
    ['application/json', 'json'],
    ['Application/JSON; charset=utf-8', 'json'],
    ['application/json, text/plain, */*', 'json'],
    ['application/*', 'json'],
    ['text/html;q=0.5, application/json;q=0.6', 'json'],
    ['text/html;level=1;q=0.5, application/json', 'json'],
    ['text/html;q=0, application/json;q=0.1', 'json'],
    ['application/json, text/html', 'equal'],
    ['application/json;q=0', 'equal'],
    ['text/html, application/json;q=0.9', 'page'],
    ['text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8', 'page'],
    ['application/json;q=0.5, text/*', 'page'],
    ['application/ld+json', 'equal'],
    ['application/json;q=2', 'equal'],
    [`${';'.repeat(50_000)}application/json`, 'equal'],
  ] as const) {
    const preference = Math.sign(preferJson(accept === undefined ? {} : { accept }));
    assert.equal(['page', 'equal', 'json'][preference + 1], preferred, String(accept).slice(0, 99));
  }
});
