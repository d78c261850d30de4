import assert from 'node:assert/strict';
import test from 'node:test';
import type { Middleware } from '../chain/context.ts';
import { html } from '../http/html.ts';
import { languageOf } from '../http/request-language.ts';
import { empty, page, type Response, text, withHeader } from '../http/response.ts';
import { english } from '../language/english.ts';
import { french } from '../language/french.ts';
import { german } from '../language/german.ts';
import { createLanguage, type Language } from '../language/language.ts';
import { createRouter } from '../router/router.ts';
import { assertCost } from '../testing/cost-ratio.ts';
import { get } from '../testing/make-request.ts';
import { chooseLanguage, negotiateLanguage } from './choose-language.ts';

const swiss = createLanguage({ ...german, code: 'de-CH' });
const LANGUAGES = [english, german, swiss, french];

function ask(header: string | undefined, languages: readonly Language[], answer?: Response) {
  const router = createRouter()
    .use(negotiateLanguage(languages))
    .get('/', ({ language, request }) => {
      assert.equal(languageOf(request), language);
      return answer ?? page(html`${language.code}`);
    });
  return router.handle(get('/', { headers: { 'accept-language': header } })) as Response;
}

const CHOICES: readonly (readonly [header: string | undefined, code: string])[] = [
  [undefined, 'en'],
  ['', 'en'],
  ['nl', 'en'],
  ['de', 'de'],
  ['DE', 'de'],
  // The next longer part of a range that is supported (RFC 4647 section 3.4).
  ['de-AT', 'de'],
  ['de-CH-1996', 'de-CH'],
  ['fr-CA-x-home', 'fr'],
  ['d', 'en'],
  // Weights.
  ['nl, fr;q=0.5, de;q=0.8', 'de'],
  ['de;q=0.5, fr;q=0.5', 'de'],
  ['de;q=0, fr;q=0.1', 'fr'],
  ['de;q=2, fr', 'fr'],
  // What is left after a refusal.
  ['en;q=0, *', 'de'],
  ['*, de', 'en'],
  ['nl, *;q=0.1', 'en'],
  // Malformed members are ignored.
  [';;;, de-, fr', 'de'],
  ['__proto__, constructor', 'en'],
];

for (const [header, code] of CHOICES) {
  test(`Accept-Language "${header ?? '(none)'}" gets ${code}`, () => {
    assert.equal(ask(header, LANGUAGES).body, code);
  });
}

test('a language finds that of a region, unless there is one of its own', () => {
  const british = [german, createLanguage({ ...english, code: 'en-GB' })];
  for (const header of ['en-US,en', 'en-US', 'en', 'en-gb'])
    assert.equal(ask(header, british).body, 'en-GB', header);
  assert.equal(ask('de-AT, en-US', british).body, 'de');
  assert.equal(ask('e, engl', british).body, 'de', 'a part of a name is no language');
});

test('of the languages of several regions, a region finds that of its script, and none that is refused', () => {
  const taiwan = createLanguage({ ...english, code: 'zh-TW' });
  const china = createLanguage({ ...english, code: 'zh-CN' });
  const hans = createLanguage({ ...english, code: 'zh-Hans' });
  const hant = createLanguage({ ...english, code: 'zh-Hant' });
  for (const [header, languages, code] of [
    ['zh-TW,zh;q=0.9,en-US;q=0.8', [english, hans, hant], 'zh-Hant'],
    ['zh-HK', [english, hans, hant], 'zh-Hant'],
    ['zh-HK', [china, taiwan], 'zh-TW'],
    ['zh-SG', [taiwan, china], 'zh-CN'],
    ['zh', [taiwan, china], 'zh-CN'],
    ['zh-TW', [english, hans], 'zh-Hans'],
    ['zh_TW, zh', [taiwan, hans], 'zh-Hans'],
    ['zh, zh-CN;q=0', [china, taiwan], 'zh-TW'],
  ] as const)
    assert.equal(ask(header, languages).body, code, header);
});

test('a range of many parts costs time linear in its length', async () => {
  const range = (parts: number) => `x${'-x'.repeat(parts)}`;
  const [small, large] = [range(500), range(8_000)];
  await assertCost(80, 0.1, (header) => ask(header, LANGUAGES), small, large);
});

test('pages in one of several languages vary by Accept-Language, and other responses do not', () => {
  const varyOf = (answer: Response) => ask('de', LANGUAGES, answer).headers['Vary'];
  const tagged = (response: Response) => withHeader(response, 'Vary', 'Cookie');
  assert.equal(varyOf(page(html`x`)), 'Accept-Language');
  assert.equal(varyOf(page(html`x`, 404)), 'Accept-Language');
  assert.equal(varyOf(tagged(page(html`x`))), 'Cookie, Accept-Language');
  assert.equal(varyOf(tagged(empty(304))), 'Cookie, Accept-Language');
  assert.equal(varyOf(empty(304)), undefined);
  assert.equal(varyOf(withHeader(empty(304), 'Vary', 'Accept-Encoding')), 'Accept-Encoding');
  assert.equal(varyOf(text('x')), undefined);
});

test('with one language, nothing is negotiated, and no page varies', () => {
  const { body, headers } = ask('fr', [german]);
  assert.equal(body, 'de');
  assert.equal(headers['Vary'], undefined);
});

test('an application chooses by its context, or leaves the choice as it is', () => {
  const router = createRouter()
    .use(negotiateLanguage([english, french]))
    .use(chooseLanguage(({ request }) => (request.query.has('de') ? german : null)))
    .get('/', ({ language, request }) => page(html`${language.code} ${languageOf(request).code}`));
  const bodyOf = (target: string) =>
    (router.handle(get(target, { headers: { 'accept-language': 'fr' } })) as Response).body;
  assert.equal(bodyOf('/?de'), 'de de');
  assert.equal(bodyOf('/'), 'fr fr');
});

test('a choice by what the context lacks does not compile', () => {
  interface WithUser {
    readonly user: { readonly speaks: Language };
  }
  const findUser: Middleware<unknown, WithUser> = (context, next) =>
    next({ ...context, user: { speaks: german } });
  const byUser = chooseLanguage(({ user }: WithUser) => user.speaks);
  // @ts-expect-error no middleware has put a user on the context
  createRouter().use(byUser);
  const router = createRouter()
    .use(findUser)
    .use(byUser)
    .get('/', ({ language }) => page(html`${language.code}`));
  assert.equal((router.handle(get('/')) as Response).body, 'de');
});

test('a list without a language, and a choice without a function, are errors that say what to pass', () => {
  assert.throws(() => negotiateLanguage([]), /^TypeError: Cannot choose between no languages/);
  assert.throws(
    () => negotiateLanguage([english, 'de' as never]),
    /^TypeError: Cannot choose between languages with text among them: import each from/,
  );
  assert.throws(
    () => chooseLanguage(german as never),
    /^TypeError: Cannot choose a language without a function/,
  );
});
