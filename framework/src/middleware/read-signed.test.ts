import assert from 'node:assert/strict';
import { createHmac } from 'node:crypto';
import test from 'node:test';
import { gzipSync } from 'node:zlib';
import { DatabaseUnavailable } from '../database/database.ts';
import type { StandardSchema } from '../field/standard-schema.ts';
import { localPath } from '../http/href.ts';
import { html } from '../http/html.ts';
import { json } from '../http/json.ts';
import type { RequestHeaders } from '../http/request.ts';
import { empty, page, seeOther, text } from '../http/response.ts';
import { withFlash } from '../session/session-change.ts';
import { createSite } from '../site/create-site.ts';
import { createMemoryStores } from '../site/stores.ts';
import { post } from '../testing/make-request.ts';
import { bodyText } from '../testing/visitor.ts';
import { readSigned, type SignedContext, type SignedOptions } from './read-signed.ts';

/** The vector of the reference implementations of Standard Webhooks. */
const STANDARD = {
  secret: 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw',
  time: 1614265330,
  body: '{"test": 2432232314}',
  headers: {
    'webhook-id': 'msg_p5jXN8AQM9LWM0D4loKWxJek',
    'webhook-timestamp': '1614265330',
    'webhook-signature': 'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=',
  },
};
/** The example of GitHub's documentation of webhooks. Its payload is no JSON. */
const GITHUB = {
  secret: "It's a Secret to Everybody",
  body: 'Hello, World!',
  signature: 'sha256=757107ea0eb2509fc211221cce984b8a37570b6d7586c22c46f4379c8b043e17',
};
const SECRET = 'whsec_of_stripe';
const NOW = STANDARD.time;
const OTHER = `whsec_${Buffer.alloc(24, 7).toString('base64')}`;

const hmac = (secret: string | Uint8Array, content: string) =>
  createHmac('sha256', secret).update(content);
const stripe = (body: string, time = NOW, secret = SECRET): RequestHeaders => ({
  'stripe-signature': `t=${time},v1=${hmac(secret, `${time}.${body}`).digest('hex')},v0=${'0'.repeat(64)}`,
});
const standard = (body: string, id: string, time = NOW, secret = STANDARD.secret) => ({
  'webhook-id': id,
  'webhook-timestamp': `${time}`,
  'webhook-signature': `v1,${hmac(Buffer.from(secret.slice(6), 'base64'), `${id}.${time}.${body}`).digest('base64')}`,
});
const github = (body: string, secret = GITHUB.secret) => ({
  'x-github-delivery': '72d3162e-cc78-11e3-81ab-4c9367dc0958',
  'x-hub-signature-256': `sha256=${hmac(secret, body).digest('hex')}`,
});

type Work = (
  context: SignedContext<null, unknown>,
) => ReturnType<Parameters<SignedContext<null, unknown>['once']>[0]>;

/** A site with a hook. `done` has the values that its work has got, `reports` the lines of the log. */
function createHook(
  options: SignedOptions<unknown>,
  work: Work = () => {},
  stores = createMemoryStores(),
) {
  const done: unknown[] = [];
  const reports: string[] = [];
  const own = typeof options.scheme === 'function' ? {} : { now: () => new Date(NOW * 1_000) };
  const site = createSite(stores, {
    log: false,
    errors: { report: ({ message }) => reports.push(message) },
  }).post('/hook', readSigned(stores.receipts, { ...own, ...options } as never), (context) => {
    const signed = context as SignedContext<null, unknown>;
    return signed.once(async () => {
      const answer = await work(signed);
      done.push(signed.signed);
      return answer;
    });
  });
  const send = async (body: string | Uint8Array, headers: RequestHeaders) =>
    site.handle(post('/hook', body, { from: 'program', scheme: 'https', headers }));
  return { send, done, reports };
}

const byStandard = (work?: Work) =>
  createHook({ scheme: 'standard-webhooks', secrets: [STANDARD.secret] }, work);
const byStripe = (work?: Work) => createHook({ scheme: 'stripe', secrets: [SECRET] }, work);
const byGitHub = (work?: Work) => createHook({ scheme: 'github', secrets: [GITHUB.secret] }, work);

test('the published vector of Standard Webhooks is proved', async () => {
  const { send, done } = byStandard();
  const answer = await send(STANDARD.body, STANDARD.headers);
  assert.deepEqual([answer.status, answer.body], [204, null]);
  assert.deepEqual(done, [{ id: 'msg_p5jXN8AQM9LWM0D4loKWxJek', value: { test: 2432232314 } }]);
});

test('the example of GitHub’s documentation is proved, and is no JSON', async () => {
  const { send, done, reports } = byGitHub();
  const answer = await send(GITHUB.body, { 'x-hub-signature-256': GITHUB.signature });
  assert.equal(answer.status, 400);
  assert.deepEqual(reports, [
    'The signed post is right, and its body cannot be used: it is no JSON.',
  ]);
  const body = '{"action":"opened"}';
  assert.equal((await send(body, github(body))).status, 204);
  assert.deepEqual((done[0] as { value: unknown }).value, { action: 'opened' });
});

test('Stripe’s scheme signs the time and the body, and the id of the event is that of the message', async () => {
  const { send, done } = byStripe();
  const body = '{"id":"evt_1","type":"invoice.paid"}';
  assert.equal((await send(body, stripe(body))).status, 204);
  assert.deepEqual(done, [{ id: 'evt_1', value: JSON.parse(body) }]);
});

test('the headers of Svix are those of Standard Webhooks', async () => {
  const { send, done } = byStandard();
  const headers = Object.fromEntries(
    Object.entries(STANDARD.headers).map(([name, value]) => [
      name.replace('webhook', 'svix'),
      value,
    ]),
  );
  assert.equal((await send(STANDARD.body, headers)).status, 204);
  assert.equal(done.length, 1);
});

const body = '{"id":"evt_1"}';
const { headers: right } = STANDARD;
const hex = stripe(body)['stripe-signature'] ?? '';
const FORGED: readonly [string, ReturnType<typeof createHook>, string, RequestHeaders][] = [
  ['another key', byStandard(), body, standard(body, 'm', NOW, OTHER)],
  ['another key', byStripe(), body, stripe(body, NOW, 'whsec_of_another')],
  ['another key', byGitHub(), body, github(body, 'another')],
  ['a changed body', byStandard(), `${STANDARD.body} `, right],
  ['a changed body', byStripe(), '{"id":"evt_2"}', stripe(body)],
  ['a changed body', byGitHub(), '{"id":"evt_2"}', github(body)],
  ['the signature of another id', byStandard(), STANDARD.body, { ...right, 'webhook-id': 'msg_2' }],
  [
    'the signature of another time',
    byStandard(),
    STANDARD.body,
    { ...right, 'webhook-timestamp': `${NOW + 1}` },
  ],
  [
    'the signature of another time',
    byStripe(),
    body,
    { 'stripe-signature': hex.replace(`${NOW}`, `${NOW + 1}`) },
  ],
  ['no header', byStandard(), body, {}],
  ['no header', byStripe(), body, {}],
  ['no header', byGitHub(), body, { 'x-github-delivery': '7' }],
  ['no id', byStandard(), STANDARD.body, { ...right, 'webhook-id': undefined }],
  ['no time', byStripe(), body, { 'stripe-signature': hex.replace(/^t=\d+,/, '') }],
  [
    'no signature of a known version',
    byStripe(),
    body,
    { 'stripe-signature': hex.replace('v1', 'v2') },
  ],
  [
    'no signature of a known version',
    byStandard(),
    STANDARD.body,
    { ...right, 'webhook-signature': right['webhook-signature'].replace('v1', 'v2') },
  ],
  ['a truncated signature', byStripe(), body, { 'stripe-signature': hex.replace(/.{8},v0.*/, '') }],
  [
    'a truncated signature',
    byStandard(),
    STANDARD.body,
    { ...right, 'webhook-signature': right['webhook-signature'].slice(0, -8) },
  ],
  [
    'a truncated signature',
    byGitHub(),
    body,
    { 'x-hub-signature-256': github(body)['x-hub-signature-256'].slice(0, -2) },
  ],
  ['an empty signature', byGitHub(), body, { 'x-hub-signature-256': 'sha256=' }],
  [
    'a signature that is not hexadecimal',
    byGitHub(),
    body,
    { 'x-hub-signature-256': `sha256=${'z'.repeat(64)}` },
  ],
  [
    'a signature that is not hexadecimal',
    byStripe(),
    body,
    { 'stripe-signature': `t=${NOW},v1=${'é'.repeat(64)}` },
  ],
  [
    'more behind the signature',
    byGitHub(),
    body,
    { 'x-hub-signature-256': `${github(body)['x-hub-signature-256']}zz` },
  ],
  [
    'two headers',
    byGitHub(),
    body,
    { 'x-hub-signature-256': `sha256=${'0'.repeat(64)}, ${github(body)['x-hub-signature-256']}` },
  ],
  [
    'two headers',
    byStripe(),
    body,
    { 'stripe-signature': `t=${NOW - 9},v1=${'0'.repeat(64)}, ${hex}` },
  ],
  ['two headers', byStripe(), body, { 'stripe-signature': `${hex},t=${NOW - 9}` }],
  [
    'two headers',
    byStandard(),
    STANDARD.body,
    { ...right, 'webhook-signature': `v1,AAAA, ${right['webhook-signature']}` },
  ],
  [
    'the older header of GitHub',
    byGitHub(),
    body,
    { 'x-hub-signature': `sha1=${createHmac('sha1', GITHUB.secret).update(body).digest('hex')}` },
  ],
];

test('whatever is not signed exactly so is a 400 that does not say why, and never reaches the handler', async () => {
  for (const [flaw, { send, done, reports }, sent, headers] of FORGED) {
    const { status, ...answer } = await send(sent, headers);
    assert.equal(status, 400, flaw);
    assert.equal(answer.headers['WWW-Authenticate'], undefined);
    assert.equal(answer.headers['Content-Type'], 'application/problem+json');
    assert.match(
      bodyText({ status, ...answer }),
      /The sender of this message could not be verified/,
    );
    assert.deepEqual(done, [], flaw);
    assert.match(reports[0] ?? '', /^The signed post is refused: its signature /, flaw);
  }
});

test('a time that is five minutes off is refused in both directions', async () => {
  for (const [at, status] of [
    [NOW - 300, 204],
    [NOW + 300, 204],
    [NOW - 301, 400],
    [NOW + 301, 400],
  ] as const) {
    const { send, reports } = byStripe();
    assert.equal((await send(body, stripe(body, at))).status, status, `${at - NOW}`);
    if (status === 400)
      assert.match(reports[0] ?? '', /it was signed 301 seconds (ago|in the future)\. It may be a/);
    assert.equal((await byStandard().send(body, standard(body, 'm', at))).status, status);
  }
  const patient = createHook({ scheme: 'stripe', secrets: [SECRET], tolerance: 900_000 });
  assert.equal((await patient.send(body, stripe(body, NOW - 900))).status, 204);
  assert.equal((await byStripe().send(body, stripe(body, NaN))).status, 400);
});

test('while secrets change, each of them proves, and one of several signatures is enough', async () => {
  const both = createHook({ scheme: 'standard-webhooks', secrets: [OTHER, STANDARD.secret] });
  assert.equal((await both.send(STANDARD.body, right)).status, 204);
  assert.equal((await both.send(body, standard(body, 'm2', NOW, OTHER))).status, 204);
  const one = byStandard();
  const signatures = [OTHER, STANDARD.secret].map(
    (secret) => standard(body, 'm', NOW, secret)['webhook-signature'],
  );
  const headers = {
    ...standard(body, 'm'),
    'webhook-signature': `v1a,AAAA ${signatures.join(' ')}`,
  };
  assert.equal((await one.send(body, headers)).status, 204);
  const [old = ''] = (stripe(body, NOW, 'old')['stripe-signature'] ?? '').split(',v0');
  const own = /v1=\w+/.exec(hex)?.[0];
  assert.equal((await byStripe().send(body, { 'stripe-signature': `${old},${own}` })).status, 204);
});

test('a repeated message gets the same answer and is carried out once, also at once', async () => {
  let count = 0;
  const { send, done } = byStripe(async () => {
    await null;
    return text(`number ${++count}`);
  });
  const later = '{"id":"evt_1","pending_webhooks":0}';
  const answers = await Promise.all([
    send(body, stripe(body)),
    send(body, stripe(body)),
    send(later, stripe(later, NOW + 60)),
  ]);
  assert.deepEqual(answers.map(bodyText), ['number 1', 'number 1', 'number 1']);
  assert.deepEqual(answers[0], answers[1]);
  assert.equal(done.length, 1);
});

test('another id of a delivery of GitHub, which is not signed, makes no other message', async () => {
  const { send, done } = byGitHub();
  await send(body, github(body));
  await send(body, { ...github(body), 'x-github-delivery': 'another' });
  assert.equal(done.length, 1);
  const other = '{"id":"evt_2"}';
  await send(other, github(other));
  assert.equal(done.length, 2);
});

test('a message whose work failed can be sent again', async () => {
  let fails = true;
  const { send, done } = byStripe(() => {
    if (fails) throw new Error('The warehouse is closed.');
  });
  assert.equal((await send(body, stripe(body))).status, 500);
  fails = false;
  assert.equal((await send(body, stripe(body))).status, 204);
  assert.equal(done.length, 1);
});

test('while the database is away, the answer is 503, so that the sender sends again', async () => {
  const stores = createMemoryStores();
  const receipts = {
    find: stores.receipts.find,
    carryOut: () => Promise.reject(new DatabaseUnavailable('it restarts.')),
  };
  const { send } = createHook({ scheme: 'stripe', secrets: [SECRET] }, () => {}, {
    ...stores,
    receipts,
  });
  const answer = await send(body, stripe(body));
  assert.equal(answer.status, 503);
  assert.equal(answer.headers['Retry-After'], '5');
});

test('a body over the limit is a 413, and a compressed one a 415', async () => {
  const small = createHook({ scheme: 'stripe', secrets: [SECRET], limit: 14 });
  assert.equal((await small.send(body, stripe(body))).status, 204);
  assert.equal((await small.send(`${body} `, stripe(`${body} `))).status, 413);
  const chunked = { ...stripe(`${body} `), 'content-length': undefined };
  assert.equal((await small.send(`${body} `, chunked)).status, 413);
  const packed = { ...stripe(body), 'content-encoding': 'gzip' };
  const answer = await byStripe().send(gzipSync(body), packed);
  assert.deepEqual([answer.status, answer.headers['Accept-Encoding']], [415, 'identity']);
});

const order: StandardSchema<unknown, { readonly order: number }> = {
  '~standard': {
    version: 1,
    vendor: 'test',
    validate(value) {
      const { order: number } = value as { readonly order?: unknown };
      return typeof number === 'number'
        ? { value: { order: number } }
        : { issues: [{ message: 'Expected a number', path: ['order'] }] };
    },
  },
};

test('the schema reads the JSON once it is proved, and the log says what it refuses', async () => {
  const { send, done, reports } = createHook({ scheme: 'github', secrets: ['a'], schema: order });
  const sent = '{"order":1,"order":7}';
  assert.equal((await send(sent, github(sent, 'a'))).status, 204);
  assert.deepEqual((done[0] as { value: unknown }).value, { order: 7 });
  const wrong = '{"order":"secret"}';
  const answer = await send(wrong, github(wrong, 'a'));
  assert.equal(answer.status, 400);
  assert.match(bodyText(answer), /The data of this message could not be used/);
  assert.deepEqual(reports, [
    'The signed post is right, and its body cannot be used: the schema refuses it (#/order Expected a number).',
  ]);
  // The log has the first of many refusals at once.
  const forged = byGitHub();
  assert.equal((await forged.send('{', github('{', 'b'))).status, 400);
  assert.match(forged.reports[0] ?? '', /its signature does not fit the secret/);
  const other = byGitHub();
  const latin = Uint8Array.of(0x22, 0xe9, 0x22);
  const sign = createHmac('sha256', GITHUB.secret).update(latin).digest('hex');
  await other.send(latin, { 'x-hub-signature-256': `sha256=${sign}` });
  assert.match(other.reports[0] ?? '', /it is no UTF-8/);
});

test('the secrets may be those of the route, and a route without any proves nothing', async () => {
  const stores = createMemoryStores();
  const site = createSite(stores, { log: false, errors: { report: () => {} } }).post(
    '/hooks/:shop',
    readSigned(stores.receipts, {
      scheme: 'github',
      secrets: ({ params }: { readonly params: { readonly shop: string } }) =>
        params.shop === 'ada' ? ['a'] : [],
      schema: order,
    }),
    ({ signed, once }) => once(async () => text(`${signed.value.order satisfies number}`)),
  );
  const sent = '{"order":7}';
  const init = { from: 'program', headers: github(sent, 'a') } as const;
  assert.equal((await site.handle(post('/hooks/ada', sent, init))).status, 200);
  assert.equal((await site.handle(post('/hooks/bo', sent, init))).status, 400);
});

test('a scheme of one’s own proves what browsers bring, and leads on', async () => {
  const { send, done } = createHook(
    {
      scheme({ body: bytes }) {
        const fields = new URLSearchParams(new TextDecoder().decode(bytes));
        return fields.get('state') === 'known' ? { id: 'known', value: fields.get('code') } : null;
      },
    },
    () => seeOther(localPath('/log-in/finish')),
  );
  const answers = await Promise.all([
    send('state=known&code=7', {}),
    send('state=known&code=7', {}),
    send('state=other&code=7', {}),
  ]);
  assert.deepEqual(
    answers.map(({ status, headers }) => [status, headers['Location']]),
    [
      [303, '/log-in/finish'],
      [303, '/log-in/finish'],
      [400, undefined],
    ],
  );
  assert.deepEqual(done, [{ id: 'known', value: '7' }]);
});

test('the same id at another address is another message, and so is a form with that key', async () => {
  const stores = createMemoryStores();
  const once = ({ once: run }: SignedContext<null, unknown>) => run(async () => text('done'));
  const hook = readSigned(stores.receipts, { scheme: 'github', secrets: ['a'] });
  const found: string[] = [];
  const receipts: typeof stores.receipts = {
    ...stores.receipts,
    carryOut: (key, work) => {
      found.push(JSON.stringify(key));
      return stores.receipts.carryOut(key, work);
    },
  };
  const site = createSite(stores, { log: false })
    .post('/a', hook, once)
    .post('/b', readSigned(receipts, { scheme: 'github', secrets: ['a'] }), once)
    .post('/c', readSigned(receipts, { scheme: 'github', secrets: ['a'] }), once);
  for (const path of ['/a', '/b', '/c'])
    await site.handle(post(path, body, { from: 'program', headers: github(body, 'a') }));
  assert.equal(new Set(found).size, 2);
});

test('a handler that answers without once is an error: a replay would run it again', async () => {
  const reports: string[] = [];
  const stores = createMemoryStores();
  const hook = readSigned(stores.receipts, { scheme: 'github', secrets: ['a'] });
  const site = createSite(stores, {
    log: false,
    errors: { report: ({ message }) => reports.push(message) },
  })
    .post('/hook', hook, () => empty())
    .post('/late', hook, () => page(html`<p>Too late</p>`, 409))
    .post('/json', hook, ({ once }) => once(async () => json({ is: 'done' })))
    .post('/long', hook, ({ once }) => once(async () => text('x'.repeat(65_537))))
    .post('/told', hook, ({ once }) =>
      once(async () => withFlash(seeOther(localPath('/')), 'Saved.')),
    );
  const send = (path: string) =>
    site.handle(post(path, body, { from: 'program', headers: github(body, 'a') }));
  assert.equal((await send('/hook')).status, 500);
  assert.match(
    reports[0] ?? '',
    /^Cannot answer POST \/hook without a receipt: the sender repeats/,
  );
  assert.equal((await send('/late')).status, 409);
  const stored = [await send('/json'), await send('/json')];
  assert.deepEqual(stored.map(bodyText), ['{"is":"done"}', '{"is":"done"}']);
  assert.equal((await send('/long')).status, 500);
  assert.match(reports[1] ?? '', /^Cannot store the answer 200 of once/);
  assert.equal((await send('/told')).status, 500);
  assert.match(reports[2] ?? '', /^Cannot store the answer 303 of once/);
});

test('mistakes of its options stop the start', () => {
  const { receipts } = createMemoryStores();
  // biome-ignore lint/suspicious/noExplicitAny: this is what a user without types has.
  const read: any = readSigned;
  for (const [options, message] of [
    [
      {},
      /^Cannot call readSigned without scheme: pass 'standard-webhooks', 'stripe', 'github', or a/,
    ],
    [
      { scheme: 'paypal', secrets: ['a'] },
      /^Cannot pass text to readSigned as scheme: pass 'standa/,
    ],
    [{ scheme: 'stripe' }, /^Cannot read signed posts without their secrets: pass those that the/],
    [
      { scheme: 'stripe', secrets: [] },
      /^Cannot pass a list to readSigned as secrets: pass a list w/,
    ],
    [{ scheme: 'stripe', secrets: 'a' }, /^Cannot pass text to readSigned as secrets: pass a list/],
    [{ scheme: 'stripe', secrets: [undefined] }, /signed with undefined as the secret: everybody/],
    [{ scheme: 'github', secrets: [' '] }, /signed with an empty text as the secret: everybody/],
    [
      { scheme: 'standard-webhooks', secrets: ['whsec_short'] },
      /"whsec_" and 24 to 64 bytes in bas/,
    ],
    [
      { scheme: 'standard-webhooks', secrets: [`whpk_${'A'.repeat(44)}`] },
      /24 to 64 bytes in base/,
    ],
    [
      { scheme: () => null, secrets: ['a'] },
      /^Cannot pass secrets to readSigned with a scheme of yo/,
    ],
  ] as const)
    assert.throws(() => read(receipts, options), { name: 'TypeError', message });
  assert.throws(
    () => read({ scheme: 'stripe' }),
    /^TypeError: Cannot read signed posts without a rec/,
  );
});
