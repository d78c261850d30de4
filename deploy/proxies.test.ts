/** Tests two instances on one database behind each proxy, with the proxy files in this folder. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { get, type IncomingMessage } from 'node:http';
import { get as getSecurely } from 'node:https';
import { connect as connectPlainly } from 'node:net';
import { DatabaseSync } from 'node:sqlite';
import test from 'node:test';
import { setTimeout } from 'node:timers/promises';
import { type ConnectionOptions, connect } from 'node:tls';
import { createVisitor, encodeFields } from 'seeother/testing';
import { fileOf } from '../application/testing/create-test-database.ts';
import { reachInstance } from '../application/testing/reach-instance.ts';
import { askServer } from '../scripts/ask-server.ts';
import { createAsk, ORIGIN } from './ask-proxy.ts';
import { skipWithout } from './find-program.ts';
import { startBehind } from './start-behind.ts';
import type { ProxyName, RunningProxy } from './start-proxy.ts';

/** Asks an instance itself, as the proxy does. */
function createDirectAsk(url: string) {
  const { hostname: host, port } = new URL(url);
  const forwarded = { host: 'things.example', 'x-forwarded-proto': 'https' };
  return async (path: string, headers: Readonly<Record<string, string>>) => {
    const message = get({ host, port, path, headers: { ...forwarded, ...headers } });
    const [answer] = (await once(message, 'response')) as [IncomingMessage];
    answer.resume();
    return answer.statusCode;
  };
}

/** In the tests, the client has this address if there is one: a machine has few addresses of IPv6. */
const CLIENT = 'x-test-client';
const CLIENT_ADDRESS: Partial<Record<ProxyName, Readonly<Record<string, string>>>> = {
  nginx: {
    'limit_conn_status 503;': `limit_conn_status 503;
      set_real_ip_from 127.0.0.0/8; real_ip_header ${CLIENT};`,
  },
  haproxy: {
    '    http-request wait-for-body': `    http-request set-src hdr(${CLIENT}) if { hdr(${CLIENT}) -m found }
    http-request wait-for-body`,
  },
};

/** Sends requests from these addresses at once, each on its own connection; for statuses with Retry-After. */
function askFrom(addresses: readonly string[], { https: port, certificate: ca }: RunningProxy) {
  return addresses.map(async (address) => {
    const isOfIpv6 = address.includes(':');
    const local = isOfIpv6 ? {} : { localAddress: address };
    const own = { agent: false, ...local, ca, servername: 'things.example' };
    const headers = { host: 'things.example', ...(isOfIpv6 && { [CLIENT]: address }) };
    const message = getSecurely({ host: '127.0.0.1', port, path: '/items', headers, ...own });
    const [answer] = (await once(message, 'response')) as [IncomingMessage];
    answer.resume();
    return `${answer.statusCode}, ${answer.headers['retry-after']}`;
  });
}

/** Sends the headers of a form, and so much of its body that it is never whole. */
async function sendSlowly(
  localAddress: string,
  proxy: RunningProxy,
  bytes: number,
  { path = '/login', size = bytes + 1_000 } = {},
) {
  const { https: port, certificate: ca } = proxy;
  const tcp = connectPlainly({ host: '127.0.0.1', port, localAddress });
  const socket = connect({ socket: tcp, ca, servername: 'things.example' });
  tcp.on('error', () => {});
  socket.on('error', () => {});
  await once(socket, 'secureConnect');
  const lines = [
    `POST ${path} HTTP/1.1`,
    'Host: things.example',
    `Origin: ${ORIGIN}`,
    'Content-Type: application/x-www-form-urlencoded',
    `Content-Length: ${size}`,
  ];
  socket.write(`${lines.join('\r\n')}\r\n\r\n${'x'.repeat(bytes)}`);
  return socket;
}

const ADA = { username: 'ada', password: 'correct horse battery' };

/** Pages whose query lets somebody in, up to its value. */
const SECRET_LINKS = [
  '/register?token=',
  '/password/new?token=',
  '/login/link/open?token=',
  '/login/with/company/return?code=',
  '/account/email/confirm?token=',
  '/account/providers/confirm?token=',
  '/reset-password?link=',
];

for (const name of ['nginx', 'haproxy', 'caddy'] as const) {
  const skip = skipWithout(name, 'openssl');

  test(`behind ${name} two instances are one service`, { skip }, async (t) => {
    const { instances, proxy, databaseUrl, stop } = await startBehind(name, {
      engine: 'sqlite',
      replacements: CLIENT_ADDRESS[name] ?? {},
    });
    t.after(stop);
    const ask = createAsk(proxy);

    await t.test('plain http leads to https', async () => {
      const [host, headers] = ['127.0.0.1', { host: 'things.example' }];
      const message = get({ host, port: proxy.http, path: '/items?page=2', headers });
      const [answer] = (await once(message, 'response')) as [IncomingMessage];
      answer.resume();
      assert.ok([301, 308].includes(answer.statusCode ?? 0), `${answer.statusCode}`);
      assert.equal(answer.headers.location, `${ORIGIN}/items?page=2`);
    });

    await t.test('a form that was sent over plain http is refused, and led nowhere', async () => {
      for (const method of ['POST', 'PUT']) {
        const { status, location } = await askServer(`http://127.0.0.1:${proxy.http}`, '/login', {
          method,
          headers: { host: 'things.example' },
          body: 'username=ada',
        });
        assert.deepEqual([status, location], [403, undefined], method);
      }
    });

    await t.test('https is asked for once, by the service, for subdomains too', async () => {
      const { lines: headers } = await ask('/items');
      const said = ['max-age=63072000; includeSubDomains'];
      assert.deepEqual(headers['strict-transport-security'], said);
    });

    await t.test('TLS before 1.2 and ciphers without authentication are refused', async () => {
      const shakeHands = async (options: ConnectionOptions) => {
        const { https: port, certificate: ca } = proxy;
        const socket = connect({ port, ca, servername: 'things.example', ...options });
        const ended = once(socket, 'secureConnect').then(
          () => `${socket.getProtocol()} ${socket.getCipher().name}`,
          () => 'refused',
        );
        return await ended.finally(() => socket.destroy());
      };
      // Without it, this client itself would refuse.
      const old = 'DEFAULT@SECLEVEL=0';
      for (const maxVersion of ['TLSv1', 'TLSv1.1'] as const) {
        const answer = await shakeHands({ minVersion: 'TLSv1', maxVersion, ciphers: old });
        assert.equal(answer, 'refused', maxVersion);
      }
      const at12 = { maxVersion: 'TLSv1.2' } as const;
      for (const ciphers of ['ECDHE-ECDSA-AES128-SHA', 'ECDHE-ECDSA-AES256-SHA384'])
        assert.equal(await shakeHands({ ...at12, ciphers }), 'refused', ciphers);
      const safe = 'ECDHE-ECDSA-AES128-GCM-SHA256';
      assert.equal(await shakeHands({ ...at12, ciphers: safe }), `TLSv1.2 ${safe}`);
      assert.match(await shakeHands({}), /^TLSv1\.3 /);
    });

    let cookie = '';
    await t.test('a form of this origin is taken, and the cookie is for https alone', async () => {
      const body = encodeFields(ADA);
      const other = { origin: 'https://evil.example' };
      assert.equal((await ask('/register', { headers: other, body })).status, 403);
      assert.equal((await ask('/register', { body })).status, 403, 'neither header, over https');
      const answer = await ask('/register', { headers: { origin: ORIGIN }, body });
      assert.equal(answer.status, 303);
      assert.equal(answer.location, '/items');
      const line = answer.cookies.find((one) => one.startsWith('__Host-sid=')) ?? '';
      assert.match(line, /; Secure/);
      cookie = line.split(';')[0] ?? '';
    });

    await t.test('who logged in on one is logged in on both', async () => {
      for (let count = 0; count < 8; count++) {
        const answer = await ask('/items/new', { headers: { cookie } });
        assert.equal(answer.status, 200);
      }
      for (const { output, url } of instances)
        assert.match(output().log, /\[GET\] \/items\/new 200/, `${url} has had no request`);
    });

    await t.test('the address that a client claims is not believed', async () => {
      const headers = { origin: ORIGIN, 'x-forwarded-for': '203.0.113.9' };
      const body = encodeFields({ ...ADA, password: 'a wrong guess' });
      assert.equal((await ask('/login', { headers, body })).status, 401);
      const database = new DatabaseSync(fileOf(databaseUrl), { readOnly: true });
      const rows = database
        .prepare("select subject from failed_log_ins where subject like 'address:%'")
        .all();
      database.close();
      assert.deepEqual(
        rows.map(({ subject }) => subject),
        ['address:127.0.0.1'],
      );
    });

    await t.test('whether an instance is ready is nobody else’s business', async () => {
      for (const path of ['/readyz', '/readyz?x', '/%72eadyz', '/read%79z'])
        assert.equal((await ask(path)).status, 404, path);
      for (const { url } of instances) assert.equal((await fetch(`${url}/readyz`)).status, 200);
    });

    await t.test('what is too large is answered by the page of the service', async () => {
      const body = `name=${'x'.repeat(3_000_000)}`;
      const answer = await ask('/items', { headers: { origin: ORIGIN, cookie }, body });
      assert.equal(answer.status, 413);
      assert.match(answer.body, /larger than the 1,048,576 bytes/);
    });

    await t.test('photos of more than 64 MB arrive at the service', async () => {
      const part = (name: string, text: string) =>
        `--part\r\nContent-Disposition: form-data; ${name}\r\n\r\n${text}\r\n`;
      const files = ['one', 'two'].map((name) =>
        part(`name="files"; filename="${name}.txt"`, name.repeat(12_000_000)),
      );
      const answer = await ask('/items', {
        headers: { origin: ORIGIN, cookie, 'content-type': 'multipart/form-data; boundary=part' },
        body: `${part('name="name"', 'Ladder')}${files.join('')}--part--\r\n`,
      });
      assert.equal(answer.status, 303, answer.body);
    });

    await t.test('a large header or address is answered as without the proxy', async () => {
      const direct = createDirectAsk(instances[0]?.url ?? '');
      const asked: string[] = [];
      const expected: string[] = [];
      // The service accepts 16 KiB in all.
      for (const size of [7_000, 9_000, 12_000, 15_500, 17_000, 20_000]) {
        const long = 'x'.repeat(size);
        for (const [path, headers] of [
          ['/items', { 'x-long': long }],
          [`/items?q=${long}`, {}],
        ] as const) {
          asked.push(`${size}: ${(await ask(path, { headers })).status}`);
          expected.push(`${size}: ${await direct(path, headers)}`);
        }
      }
      assert.deepEqual(asked, expected);
    });

    await t.test('a strong entity tag is of the coding that is sent', async () => {
      const tags = new Map<string, string>();
      for (const accepted of [{}, { 'accept-encoding': 'gzip' }]) {
        const { lines: headers } = await ask('/styles.css', { headers: accepted });
        const [tag = '', coding = 'identity'] = [headers['etag'], headers['content-encoding']].map(
          (lines) => lines?.[0],
        );
        assert.match(tag, /^"/);
        tags.set(coding, tag);
      }
      assert.deepEqual([...tags.keys()], ['identity', 'gzip']);
      assert.notEqual(tags.get('identity'), tags.get('gzip'));
    });

    await t.test('who logged out on one is logged out on both', async () => {
      const headers = { host: 'things.example', cookie, 'x-forwarded-proto': 'https' };
      const [one, two] = instances.map(({ url }) =>
        createVisitor(
          reachInstance(() => url),
          { headers: { ...headers, origin: ORIGIN } },
        ),
      );
      assert.equal((await one?.get('/items/new'))?.status, 200);
      assert.equal((await two?.get('/items/new'))?.status, 200);
      await one?.post('/logout');
      assert.equal((await two?.get('/items/new'))?.status, 303);
    });

    // nginx has no checks of its own, and Caddy asks again for 5 s before it refuses.
    if (name === 'haproxy')
      await t.test('instances that answer late are not taken out', async () => {
        for (const instance of instances) instance.process.kill('SIGSTOP');
        // Two checks fail in this time when each of them has a second.
        await setTimeout(2_500);
        const answer = ask('/items');
        for (const instance of instances) instance.process.kill('SIGCONT');
        assert.equal((await answer).status, 200);
      });

    // Caddy can only let them wait.
    if (name !== 'caddy')
      for (const [what, addressOf, accepted] of [
        ['of one client', () => '127.0.3.0', 32],
        ['of one /64 of IPv6', (at: number) => `2001:db8::${at.toString(16)}:1`, 32],
        ['of many clients', (at: number) => `127.0.3.${at % 8}`, 64],
        ['of many clients of IPv6', (at: number) => `2001:db8:${at % 8}::1`, 64],
      ] as const)
        await t.test(`too many requests ${what} at once are refused by the proxy`, async (t) => {
          const from = Array.from({ length: accepted + 16 }, (_, at) => addressOf(at));
          const refused = from.slice(accepted).fill('503, 5');
          const attempt = async () => {
            const answers: unknown[] = [];
            for (const instance of instances) instance.process.kill('SIGSTOP');
            const asked = askFrom(from, proxy).map(async (one) => answers.push(await one));
            try {
              const limits = { timeout: 5_000 };
              await t.waitFor(() => assert.deepEqual(answers, refused), limits);
            } finally {
              for (const instance of instances) instance.process.kill('SIGCONT');
              await Promise.all(asked);
            }
            assert.deepEqual(new Set(answers.slice(refused.length)), new Set(['200, undefined']));
          };
          // The proxy may still count a request whose answer has arrived.
          await t.waitFor(attempt, { interval: 1_000, timeout: 60_000 });
        });

    // Caddy has no limit, so nothing is taken there.
    await t.test('bodies that arrive slowly take no place at the service', async () => {
      const slow = await Promise.all(
        Array.from({ length: 80 }, (_, at) => sendSlowly(`127.0.4.${at % 2}`, proxy, 100)),
      );
      // More than fits into a buffer of HAProxy, so the rest of it goes on to the service.
      const large = await Promise.all(
        Array.from({ length: 80 }, (_, at) => sendSlowly(`127.0.4.${at % 2}`, proxy, 40_000)),
      );
      await setTimeout(500);
      const others = Array.from({ length: 27 }, (_, at) => `127.0.5.${at}`);
      assert.deepEqual(
        new Set(await Promise.all(askFrom(others, proxy))),
        new Set(['200, undefined']),
      );
      for (const socket of [...slow, ...large]) socket.destroy();
    });

    if (name === 'nginx')
      await t.test('a network has eight large forms under way at once', async () => {
        const upload = { path: '/items', size: 20_000_000 };
        const send = () => sendSlowly('127.0.6.1', proxy, 100, upload);
        const sockets = await Promise.all(Array.from({ length: 9 }, send));
        const answers: string[] = [];
        for (const socket of sockets)
          socket.on('data', (data) => answers.push(String(data).slice(0, 12)));
        await t.waitFor(() => assert.deepEqual(answers, ['HTTP/1.1 503']), { timeout: 10_000 });
        const others = askFrom(['127.0.6.1', '127.0.6.2'], proxy);
        assert.deepEqual(await Promise.all(others), ['200, undefined', '200, undefined']);
        for (const socket of sockets) socket.destroy();
      });

    await t.test('an answer of the proxy itself has the headers of the service', async () => {
      for (const path of ['/readyz', '/items']) {
        const { lines: headers } = await ask(path);
        assert.deepEqual(headers['x-content-type-options'], ['nosniff'], path);
        assert.deepEqual(
          headers['strict-transport-security'],
          ['max-age=63072000; includeSubDomains'],
          path,
        );
      }
    });

    await t.test('with one instance stopped no request fails', async () => {
      const statuses: number[] = [];
      const stopped = instances[1]?.stop();
      for (let count = 0; count < 40; count++) statuses.push((await ask('/items')).status);
      assert.equal(await stopped, 0);
      assert.deepEqual(new Set(statuses), new Set([200]));
    });

    await t.test(
      'a link that lets somebody in is in no log, also not when no instance answers',
      async (t) => {
        assert.equal((await ask(`${SECRET_LINKS[0]}a-secret`)).status, 403);
        await instances[0]?.stop();
        for (const link of SECRET_LINKS) {
          const { status, lines: headers } = await ask(`${link}a-secret`);
          assert.ok(status >= 500);
          assert.deepEqual(headers['x-content-type-options'], ['nosniff']);
          const [path = ''] = link.split('?');
          const isLogged = () =>
            proxy
              .log()
              .split('\n')
              .some((line) => line.includes(path) && /\b50[23]\b/.test(line));
          await t.waitFor(() => assert.ok(isLogged(), path), { timeout: 60_000 });
        }
        assert.doesNotMatch(proxy.log(), /a-secret/);
      },
    );
  });
}
