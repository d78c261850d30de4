import assert from 'node:assert/strict';
import test from 'node:test';
import { get } from '../testing/make-request.ts';
import { acceptsHtml, namesHtml } from './accepts-html.ts';

test('a client accepts HTML unless it names only other types; a browser names HTML', () => {
  const cases: readonly [string | undefined, boolean, boolean][] = [
    [undefined, true, false],
    ['*/*', true, false],
    ['text/*', true, false],
    ['text/html,application/xhtml+xml,*/*;q=0.8', true, true],
    ['image/png, text/html;q=0.5', true, true],
    ['application/json', false, false],
    ['', false, false],
  ];
  for (const [accept, accepts, names] of cases) {
    const request = get('/', { headers: { accept } });
    assert.deepEqual([acceptsHtml(request), namesHtml(request)], [accepts, names], `${accept}`);
  }
});
