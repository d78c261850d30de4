import assert from 'node:assert/strict';
import test from 'node:test';
import { languageSlot } from '../http/request-language.ts';
import { french } from '../language/french.ts';
import { german } from '../language/german.ts';
import { get } from '../testing/make-request.ts';
import { describeAgent } from './describe-agent.ts';

const LIKE_CHROME = 'AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0';
const LIKE_SAFARI = 'AppleWebKit/605.1.15 (KHTML, like Gecko)';

test('a browser is described by its own name and its system, whatever other browsers it names', () => {
  const agents = {
    'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0': 'Firefox on Linux',
    [`Mozilla/5.0 (Windows NT 10.0; Win64; x64) ${LIKE_CHROME} Safari/537.36`]: 'Chrome on Windows',
    [`Mozilla/5.0 (Windows NT 10.0; Win64; x64) ${LIKE_CHROME} Safari/537.36 Edg/140.0`]:
      'Edge on Windows',
    [`Mozilla/5.0 (X11; CrOS x86_64 14541.0.0) ${LIKE_CHROME} Safari/537.36 OPR/120.0`]:
      'Opera on ChromeOS',
    [`Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) ${LIKE_SAFARI} Version/18.0 Safari/605.1.15`]:
      'Safari on macOS',
    [`Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) ${LIKE_SAFARI} CriOS/140.0 Mobile/1 Safari/604.1`]:
      'Chrome on iPhone',
    [`Mozilla/5.0 (iPad; CPU OS 18_0 like Mac OS X) ${LIKE_SAFARI} Version/18.0 Mobile/1 Safari/604.1`]:
      'Safari on iPad',
    [`Mozilla/5.0 (Linux; Android 15; K) ${LIKE_CHROME} Mobile Safari/537.36`]: 'Chrome on Android',
    'Mozilla/5.0 (Android 15; Mobile; rv:140.0) Gecko/140.0 Firefox/140.0': 'Firefox on Android',
  };
  for (const [agent, words] of Object.entries(agents))
    assert.equal(describeAgent(agent, get('/')), words);
});

test('an unknown browser is "A browser", and an unknown system is left out', () => {
  for (const agent of ['', 'curl/8.0', 'Mozilla/5.0', '<script>', 'x'.repeat(200)])
    assert.equal(describeAgent(agent, get('/')), 'A browser');
  assert.equal(describeAgent('Mozilla/5.0 (Haiku) Gecko Firefox/140.0', get('/')), 'Firefox');
});

test('the words are in the language of the request', () => {
  const agent = 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0';
  for (const [language, known, unknown] of [
    [german, 'Firefox unter Linux', 'Ein Browser'],
    [french, 'Firefox sous Linux', 'Un navigateur'],
  ] as const) {
    const request = get('/');
    languageSlot.set(request, language);
    assert.deepEqual(
      [agent, ''].map((one) => describeAgent(one, request)),
      [known, unknown],
    );
  }
});
