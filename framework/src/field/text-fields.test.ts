import assert from 'node:assert/strict';
import test from 'node:test';
import fc from 'fast-check';
import { ok, problem } from './field.ts';
import { colorField, emailField, searchField, telephoneField, urlField } from './text-fields.ts';

test('an e-mail address has one @, a name before it, and a domain of two labels after it', () => {
  const email = emailField({ label: 'Email' });
  for (const typed of ['ada@example.org', "o'brien+x@a-b.co.uk", 'ä.b@bücher.example', '1@2.ab'])
    assert.deepEqual(email.parse(` ${typed} `), ok(typed), typed);
  const refused = problem('Email must be an email address, like name@example.com');
  const wrong = ['ada', 'ada@', '@example.org', 'ada@localhost', 'a@b@c.de', 'a b@c.de', '.a@b.de'];
  const more = [
    'a..b@c.de',
    'a.@b.de',
    'a@-b.de',
    'a@b-.de',
    'a@b..de',
    'a@b.c',
    'a@b.de.',
    'a,b@c.de',
  ];
  for (const typed of [...wrong, ...more, 'a@b.de\nBcc:x@y.de', `${'a'.repeat(65)}@b.de`])
    assert.deepEqual(email.parse(typed), refused, typed);
  assert.deepEqual(
    email.parse(`a@${'b.'.repeat(126)}de`),
    problem('Email must be 254 characters or less'),
  );
});

test('a web address has http or https, so that a link to it runs no script', () => {
  const url = urlField({ label: 'Site' });
  const read: Readonly<Record<string, string>> = {
    'https://example.org': 'https://example.org/',
    'HTTP://Example.org/ä?b=1': 'http://example.org/%C3%A4?b=1',
    'http://localhost:3000/#top': 'http://localhost:3000/#top',
  };
  for (const [typed, value] of Object.entries(read)) assert.deepEqual(url.parse(typed), ok(value));
  const schemes = ['javascript:alert(1)', 'data:text/html,x', 'java\nscript:alert(1)', '//a.org'];
  const texts = [
    'example.org',
    'https:example.org',
    'https://',
    'https:///a',
    'https://[',
    'https://a b.org',
  ];
  for (const typed of [
    ...schemes,
    ...texts,
    'JaVaScRiPt:https://a.org',
    'https://a.org/\n'.repeat(2),
  ])
    assert.deepEqual(
      url.parse(typed),
      problem('Site must be a web address, like https://example.com'),
      typed,
    );
});

test('the value of a web address is accepted again', () => {
  const url = urlField({ label: 'Site' });
  fc.assert(
    fc.property(fc.webUrl({ withFragments: true, withQueryParameters: true }), (typed) => {
      const first = url.parse(typed);
      if (!('ok' in first && first.ok)) return;
      assert.deepEqual(url.parse(url.toText(first.value)), first);
    }),
  );
});

test('a telephone number may have spaces, brackets, a country code and an extension', () => {
  const telephone = telephoneField({ label: 'Phone' });
  const numbers = [
    '01632 960 001',
    '+44 808 157 0192',
    '(0421) 12-34',
    '030/23125',
    '12345 ext. 12',
  ];
  for (const typed of numbers) assert.deepEqual(telephone.parse(typed), ok(typed));
  assert.deepEqual(telephone.parse('0808\t157'), ok('0808 157'));
  const refused = problem('Phone must be a telephone number, like 01632 960 001');
  for (const typed of ['12', 'none', '+', '1'.repeat(22), '0808 call me', '123+4'])
    assert.deepEqual(telephone.parse(typed), refused, typed);
});

test('a colour is in lower case, and is never empty', () => {
  const colour = colorField({ label: 'Colour', default: '#1d70b8' });
  assert.equal(colour.default, '#1d70b8');
  assert.equal(colour.required, true);
  assert.deepEqual(colour.parse('#FFaa00'), ok('#ffaa00'));
  for (const typed of ['', 'red', '#fff', '#12345g', '#1234567'])
    assert.deepEqual(colour.parse(typed), problem('Colour must be a colour, like #1d70b8'), typed);
  assert.throws(
    // @ts-expect-error a browser sends a colour always
    () => colorField({ label: 'Colour', required: 'Choose a colour' }),
    /Cannot pass the option "required"/,
  );
});

test('the text of a search may be empty', () => {
  const search = searchField({ label: 'Search' });
  assert.deepEqual(search.parse(''), ok(''));
  assert.deepEqual(search.parse(' x '), ok('x'));
  assert.deepEqual(search.parse('x'.repeat(201)), problem('Search must be 200 characters or less'));
});

test('each kind has the attributes of its text, and those of its options instead', () => {
  const { attributes } = emailField({ label: 'Email', attributes: { autocomplete: 'off' } });
  assert.deepEqual(attributes, {
    type: 'email',
    autocomplete: 'off',
    autocapitalize: 'none',
    spellcheck: 'false',
  });
  const types = [urlField, telephoneField, searchField, colorField].map(
    (define) => define({ label: 'X' }).attributes['type'],
  );
  assert.deepEqual(types, ['url', 'tel', 'search', 'color']);
});

test('with required, the value is never null, and the compiler knows it', () => {
  type ValueOf<F> = F extends { parse: (text: never) => infer P } ? P : never;
  const needed = emailField({ label: 'Email', required: 'Enter an address', minLength: 8 });
  const optional = emailField({ label: 'Email' });
  const parsed = needed.parse('ada@example.org') as Extract<ValueOf<typeof needed>, { ok: true }>;
  const value: string = parsed.value;
  assert.equal(value, 'ada@example.org');
  const other = optional.parse('') as Extract<ValueOf<typeof optional>, { ok: true }>;
  // @ts-expect-error it may be empty
  const text: string = other.value;
  assert.equal(text, null);
  assert.deepEqual(needed.parse(''), problem('Enter an address'));
  assert.deepEqual(needed.parse('a@b.de'), problem('Email must be 8 characters or more'));
});
