import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, writeFileSync } from 'node:fs';
import { get as getPlain, type IncomingMessage } from 'node:http';
import { get as getEncrypted } from 'node:https';
import { connect } from 'node:net';
import { join } from 'node:path';
import test, { type TestContext } from 'node:test';
import { type ConnectionOptions, connect as connectEncrypted } from 'node:tls';
import { text } from '../http/response.ts';
import { createTestFolder } from '../testing/test-folder.ts';
import type { Application } from './application.ts';
import { parseProxies } from './forwarded.ts';
import { serve } from './node-server.ts';

const whoAsks: Application = {
  handle: ({ path, scheme, address }) => text(`${path} ${scheme} ${address}`),
};

const socketPath = (t: TestContext) => join(createTestFolder(t), 'http.sock');

async function bodyOf(message: IncomingMessage): Promise<string> {
  return Buffer.concat(await message.toArray()).toString();
}

async function ask(socketPath: string, headers: Readonly<Record<string, string>> = {}) {
  const [message] = await once(getPlain({ socketPath, path: '/things', headers }), 'response');
  return bodyOf(message);
}

const skipOnWindows = { skip: process.platform === 'win32' && 'Windows has named pipes instead' };

test(
  'a server on a Unix socket answers, and removes the socket when it stops',
  skipOnWindows,
  async (t) => {
    const socket = socketPath(t);
    const server = await serve(whoAsks, { socket });
    assert.equal(server.url, `unix:${socket}`);
    assert.equal(await ask(socket), '/things http 127.0.0.1');
    assert.equal(await server.stop(10_000), true);
    assert.equal(existsSync(socket), false);
  },
);

test('a proxy on a Unix socket is trusted as 127.0.0.1 is', skipOnWindows, async (t) => {
  const socket = socketPath(t);
  const trust = { isProxy: parseProxies('127.0.0.1'), scheme: null };
  const server = await serve(whoAsks, { socket, trust });
  t.after(() => server.stop(0));
  const forwarded = { 'X-Forwarded-For': '192.0.2.7', 'X-Forwarded-Proto': 'https' };
  assert.equal(await ask(socket, forwarded), '/things https 192.0.2.7');
});

test('the socket that a killed process left behind is replaced', skipOnWindows, async (t) => {
  const socket = socketPath(t);
  const code = `require('node:net').createServer().listen(${JSON.stringify(socket)}, () => process.kill(process.pid, 'SIGKILL'))`;
  await once(spawn(process.execPath, ['--eval', code]), 'exit');
  assert.equal(existsSync(socket), true);
  const server = await serve(whoAsks, { socket });
  t.after(() => server.stop(0));
  assert.equal(await ask(socket), '/things http 127.0.0.1');
});

test(
  'a socket in use, and a file that is no socket, stay as they are',
  skipOnWindows,
  async (t) => {
    const socket = socketPath(t);
    const server = await serve(whoAsks, { socket });
    t.after(() => server.stop(0));
    await assert.rejects(serve(whoAsks, { socket }), { code: 'EADDRINUSE' });
    assert.equal(await ask(socket), '/things http 127.0.0.1');
    const file = join(socket, '../notes.txt');
    writeFileSync(file, 'kept');
    await assert.rejects(serve(whoAsks, { socket: file }), { code: 'EADDRINUSE' });
    assert.equal(existsSync(file), true);
  },
);

// Made for this test alone; nobody trusts it.
const KEY = `-----BEGIN PRIVATE KEY-----
MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgB1ClvhDpLSa3gUL/
+9LQcXxOqraL3MlrNzCH7vBKCkyhRANCAAQCbdTFBUfPnmbdqiqyMdoAk5k5vM3P
W1qO+pRf/7orl+Fpt7m/zuFxBAVXTr2k6U/oVQWtPwKbwIJ7nHL2cuLa
-----END PRIVATE KEY-----`;
const CERTIFICATE = `-----BEGIN CERTIFICATE-----
MIIBmjCCAUGgAwIBAgIUHI8H/X9xCKBHk79iCKd6M/jy0okwCgYIKoZIzj0EAwIw
FDESMBAGA1UEAwwJbG9jYWxob3N0MCAXDTI2MTEyMjE3MTIxMloYDzIxMjYxMDI5
MTcxMjEyWjAUMRIwEAYDVQQDDAlsb2NhbGhvc3QwWTATBgcqhkjOPQIBBggqhkjO
PQMBBwNCAAQCbdTFBUfPnmbdqiqyMdoAk5k5vM3PW1qO+pRf/7orl+Fpt7m/zuFx
BAVXTr2k6U/oVQWtPwKbwIJ7nHL2cuLao28wbTAdBgNVHQ4EFgQUQDMRVv7LvePs
LtKW5CUsfoxGzBEwHwYDVR0jBBgwFoAUQDMRVv7LvePsLtKW5CUsfoxGzBEwDwYD
VR0TAQH/BAUwAwEB/zAaBgNVHREEEzARgglsb2NhbGhvc3SHBH8AAAEwCgYIKoZI
zj0EAwIDRwAwRAIgbYZDMqUNSNEs36fsej+JPWS+D+MgE6+k8LOQkINr260CIAfB
0GxaSX910R4p8RIPr1mUZP9qK9YgkNH/IRaWNnnt
-----END CERTIFICATE-----`;

test('a server with a certificate speaks HTTPS, and its requests have that scheme', async () => {
  const tls = { key: KEY, cert: CERTIFICATE };
  const server = await serve(whoAsks, { host: '127.0.0.1', port: 0, tls });
  assert.match(server.url, /^https:\/\/127\.0\.0\.1:\d+$/);
  const request = getEncrypted(`${server.url}/things`, { ca: CERTIFICATE, agent: false });
  const [message] = await once(request, 'response');
  assert.equal(await bodyOf(message), '/things https 127.0.0.1');
  assert.equal(await server.stop(10_000), true);
});

test('a server with a certificate refuses TLS before 1.2 and ciphers without authentication', async (t) => {
  const tls = { key: KEY, cert: CERTIFICATE };
  const server = await serve(whoAsks, { host: '127.0.0.1', port: 0, tls });
  t.after(() => server.stop(0));
  const shakeHands = async (options: ConnectionOptions) => {
    const port = Number(new URL(server.url).port);
    const socket = connectEncrypted({ port, ca: CERTIFICATE, servername: 'localhost', ...options });
    const ended = once(socket, 'secureConnect').then(
      () => `${socket.getProtocol()} ${socket.getCipher().name}`,
      () => 'refused',
    );
    return ended.finally(() => socket.destroy());
  };
  const [min, weakest] = ['TLSv1.2', 'DEFAULT@SECLEVEL=0'] as const;
  const old = { minVersion: 'TLSv1', maxVersion: 'TLSv1.1', ciphers: weakest } as const;
  assert.equal(await shakeHands(old), 'refused');
  for (const ciphers of ['ECDHE-ECDSA-AES128-SHA', 'ECDHE-ECDSA-AES256-SHA384'])
    assert.equal(await shakeHands({ maxVersion: min, ciphers }), 'refused', ciphers);
  const safe = 'ECDHE-ECDSA-AES128-GCM-SHA256';
  assert.equal(await shakeHands({ maxVersion: min, ciphers: safe }), `TLSv1.2 ${safe}`);
  assert.match(await shakeHands({}), /^TLSv1\.3 /);
});

test('a client that does not encrypt gets nothing from a server with a certificate', async (t) => {
  const tls = { key: KEY, cert: CERTIFICATE };
  const server = await serve(whoAsks, { host: '127.0.0.1', port: 0, tls });
  t.after(() => server.stop(0));
  const socket = connect(Number(new URL(server.url).port), '127.0.0.1');
  socket.on('error', () => {});
  let received = '';
  socket.setEncoding('latin1').on('data', (chunk: string) => {
    received += chunk;
  });
  socket.write('GET /things HTTP/1.1\r\nHost: localhost\r\n\r\n');
  await once(socket, 'close');
  assert.doesNotMatch(received, /HTTP|things/);
});

test('a certificate that does not belong to its key is an error at the start', async () => {
  const tls = { key: KEY, cert: CERTIFICATE.slice(0, 200) };
  await assert.rejects(serve(whoAsks, { host: '127.0.0.1', port: 0, tls }), { code: /^ERR_/ });
});
