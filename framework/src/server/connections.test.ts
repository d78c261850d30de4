import assert from 'node:assert/strict';
import { EventEmitter } from 'node:events';
import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import test from 'node:test';
import { createConnections } from './connections.ts';
import { TRUST_NOBODY } from './read-request.ts';

const LOOK = 5_000;
const STALL = 65_000;

/** What is used of a socket; `timeouts` are the times it was given. */
class FakeSocket extends EventEmitter {
  bytesRead = 100;
  bytesWritten = 0;
  remoteAddress = '::ffff:192.0.2.1';
  readonly timeouts: number[] = [];

  setTimeout(milliseconds: number): void {
    this.timeouts.push(milliseconds);
  }
}

function watchOne(t: test.TestContext) {
  t.mock.timers.enable({ apis: ['setInterval'] });
  const connections = createConnections(TRUST_NOBODY);
  t.after(connections.watch(STALL));
  const fake = new FakeSocket();
  const socket = fake as unknown as Socket;
  return { connections, fake, socket, connection: connections.of(socket) };
}

const answer = (writableFinished: boolean) => ({ writableFinished }) as ServerResponse;

test('a connection is known by its peer, and forgotten when it is closed', (t) => {
  const { connections, fake, socket, connection } = watchOne(t);
  assert.equal(connection.address, '192.0.2.1');
  assert.equal(connection.isProxy, false);
  assert.equal(connections.of(socket), connection);
  fake.emit('close');
  assert.equal(connections.find(socket), undefined);
});

test('a connection that moves is never given a time', (t) => {
  const { fake } = watchOne(t);
  for (let look = 0; look < 10; look++) {
    if (look % 2 === 0) fake.bytesRead += 10;
    else fake.bytesWritten += 10;
    t.mock.timers.tick(LOOK);
  }
  assert.deepEqual(fake.timeouts, []);
});

test('a connection that stands still is given a time once, and none when it moves again', (t) => {
  const { fake } = watchOne(t);
  t.mock.timers.tick(LOOK);
  assert.deepEqual(fake.timeouts, []);
  t.mock.timers.tick(3 * LOOK);
  assert.deepEqual(fake.timeouts, [STALL]);
  fake.bytesWritten += 1;
  t.mock.timers.tick(LOOK);
  assert.deepEqual(fake.timeouts, [STALL, 0]);
  t.mock.timers.tick(LOOK);
  assert.deepEqual(fake.timeouts, [STALL, 0, STALL]);
});

test('an answer that has left is not kept for an idle connection; one that has not is', (t) => {
  const { connections, connection } = watchOne(t);
  connection.latest = answer(false);
  t.mock.timers.tick(LOOK);
  assert.ok(connection.latest !== null);
  assert.ok(connections.hasUnreadAnswer());
  connection.latest = answer(true);
  assert.ok(!connections.hasUnreadAnswer());
  t.mock.timers.tick(LOOK);
  assert.equal(connection.latest, null);
  assert.ok(!connections.hasUnreadAnswer());
});
