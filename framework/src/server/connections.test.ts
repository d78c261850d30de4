import assert from 'node:assert/strict';
import { EventEmitter } from 'node:events';
import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import test from 'node:test';
import { createConnections } from './connections.ts';
import type { Dropped } from './serve-options.ts';

const SWEEP = 5_000;
const STALL = 65_000;

const CLIENT = '192.0.2.1';

/** What is used of a socket. */
class FakeSocket extends EventEmitter {
  bytesRead = 0;
  bytesWritten = 0;
  writableLength = 0;
  remoteAddress: string;
  destroyed = false;

  constructor(remoteAddress: string) {
    super();
    this.remoteAddress = remoteAddress;
  }

  destroy(): void {
    this.destroyed = true;
    this.emit('close');
  }
}

/** An answer, and whether its request has arrived whole. */
function createAnswer({ left = false, complete = true } = {}) {
  return { writableFinished: left, req: { complete } };
}

function start(
  t: test.TestContext,
  limits: { maxConnections?: number; maxConnectionsPerNetwork?: number } = {},
) {
  t.mock.timers.enable({ apis: ['setInterval'] });
  let time = 0;
  const reports: Dropped[] = [];
  const late: Socket[] = [];
  const connections = createConnections({
    trust: { isProxy: (address) => address === '192.0.2.100', scheme: null },
    maxConnections: 100,
    maxConnectionsPerNetwork: 100,
    stallTimeout: STALL,
    refuseSlowBody: (socket) => late.push(socket),
    reportDropped: (dropped) => reports.push(dropped),
    now: () => time,
    ...limits,
  });
  t.after(connections.watch());
  const open = (address: string) => {
    const socket = new FakeSocket(address);
    connections.open(socket as unknown as Socket);
    const connection = connections.find(socket as unknown as Socket);
    const answer = (one: ReturnType<typeof createAnswer>) => {
      assert.ok(connection !== undefined);
      connection.latest = one as unknown as ServerResponse;
      return one;
    };
    return { socket, connection, answer };
  };
  /** Sweeps once; gives the milliseconds since the start. */
  const sweep = () => {
    time += SWEEP;
    t.mock.timers.tick(SWEEP);
    return time;
  };
  /** Sweeps until the socket is closed; gives the milliseconds that took. */
  const sweepUntilClosed = (socket: FakeSocket, beforeEach = () => {}) => {
    const from = time;
    while (!socket.destroyed && late.length === 0) {
      assert.ok(time - from < 3 * STALL, 'still open');
      beforeEach();
      sweep();
    }
    return time - from;
  };
  return { connections, reports, late, open, sweep, sweepUntilClosed };
}

function assertWithin(milliseconds: number, low: number, high: number): void {
  assert.ok(milliseconds >= low && milliseconds <= high, `${milliseconds} ms`);
}

test('a connection is counted for its peer until it is closed', (t) => {
  const { connections, open } = start(t);
  const { socket, connection } = open('::ffff:192.0.2.1');
  assert.equal(connection?.address, '192.0.2.1');
  assert.equal(connection?.isProxy, false);
  socket.destroy();
  assert.equal(connections.find(socket as unknown as Socket), undefined);
});

test('a connection is idle from its last answer on, even if it sends bytes', (t) => {
  const { reports, open, sweep, sweepUntilClosed } = start(t);
  const { socket, connection, answer } = open(CLIENT);
  for (let count = 0; count < 30; count++) {
    answer(createAnswer({ left: true }));
    sweep();
  }
  assert.equal(connection?.latest, null, 'an answer that has left is kept');
  const closed = sweepUntilClosed(socket, () => {
    socket.bytesRead += 2;
  });
  assertWithin(closed, STALL, STALL + SWEEP);
  assert.deepEqual(reports, [], 'that an idle connection ends is nothing to report');
});

test('a connection is closed if its client reads less than 64 KiB of an answer in 65 s', (t) => {
  const { connections, reports, open, sweep, sweepUntilClosed } = start(t);
  const { socket, answer } = open(CLIENT);
  answer(createAnswer());
  assert.ok(connections.isBusy());
  socket.bytesWritten = 10_000_000;
  socket.writableLength = 5_000_000;
  for (let count = 0; count < 100; count++) {
    // Over a kilobyte a second: a piece of 64 KiB leaves within a minute.
    if (count % 12 === 0) socket.writableLength -= 65_536 + 1_000;
    sweep();
    assert.ok(!socket.destroyed);
  }
  const dropped = sweepUntilClosed(socket, () => {
    socket.writableLength -= 1_000;
  });
  assertWithin(dropped, STALL - 12 * SWEEP, STALL + SWEEP);
  assert.deepEqual(reports, [{ slowReader: 1 }]);
});

test('further requests do not keep a connection whose answer is not read', (t) => {
  const { open, sweepUntilClosed } = start(t);
  const { socket, answer } = open(CLIENT);
  answer(createAnswer());
  socket.bytesWritten = 1_000_000;
  socket.writableLength = 500_000;
  const dropped = sweepUntilClosed(socket, () => {
    socket.bytesRead += 40;
    answer(createAnswer());
  });
  assertWithin(dropped, STALL, STALL + 2 * SWEEP);
});

test('a missing answer closes the connection; a stream that continues does not', (t) => {
  const { reports, open, sweep, sweepUntilClosed } = start(t);
  const { socket, answer } = open(CLIENT);
  answer(createAnswer());
  for (let count = 0; count < 50; count++) {
    if (count % 6 === 0) socket.bytesWritten += 3;
    sweep();
    assert.ok(!socket.destroyed);
  }
  sweepUntilClosed(socket);
  assert.deepEqual(reports, [{ unanswered: 1 }]);
});

test('a body of which less than a kilobyte arrives in ten seconds is refused', (t) => {
  const { reports, late, open, sweep, sweepUntilClosed } = start(t);
  const { socket, answer } = open(CLIENT);
  answer(createAnswer({ complete: false }));
  for (let count = 0; count < 5; count++) {
    socket.bytesRead += 600;
    sweep();
  }
  assert.deepEqual(late, []);
  const refused = sweepUntilClosed(socket, () => {
    socket.bytesRead += 400;
  });
  assertWithin(refused, 5_000, 15_000);
  assert.deepEqual(late, [socket]);
  assert.deepEqual(reports, [{ slowBody: 1 }]);
});

test('at the limit the connection that has been idle longest is closed for a new one', (t) => {
  const { reports, open, sweep } = start(t, { maxConnections: 4 });
  const busy = open(CLIENT);
  busy.answer(createAnswer());
  const oldest = open(CLIENT);
  sweep();
  const used = open(CLIENT);
  used.answer(createAnswer({ left: true }));
  const waiting = open(CLIENT);
  const isOpen = () => [busy, oldest, used, waiting].map(({ socket }) => !socket.destroyed);
  assert.ok(!open(CLIENT).socket.destroyed);
  assert.deepEqual(isOpen(), [true, false, true, true]);
  sweep();
  assert.deepEqual(reports, [{ madeRoom: 1 }]);
});

test('at the limit a new connection is refused only if none is idle', (t) => {
  const { reports, open, sweep } = start(t, { maxConnections: 2 });
  const busy = [open(CLIENT), open(CLIENT)];
  for (const { answer } of busy) answer(createAnswer());
  assert.ok(open(CLIENT).socket.destroyed);
  assert.ok(open(CLIENT).socket.destroyed);
  assert.ok(busy.every(({ socket }) => !socket.destroyed));
  sweep();
  assert.deepEqual(reports, [{ refused: 2 }]);
});

test('a full server visits its connections once for a flood of new ones', (t) => {
  const { open, sweep } = start(t, { maxConnections: 2, maxConnectionsPerNetwork: 1 });
  let visits = 0;
  const busy = {
    get writableFinished() {
      visits++;
      return false;
    },
    req: { complete: true },
  };
  for (const address of [CLIENT, '198.51.100.1']) open(address).answer(busy);
  for (let times = 0; times < 10; times++) assert.ok(open(CLIENT).socket.destroyed);
  assert.equal(visits, 1, 'of one network');
  for (let times = 0; times < 10; times++) assert.ok(open('203.0.113.1').socket.destroyed);
  assert.equal(visits, 3, 'of all');
  sweep();
  visits = 0;
  open(CLIENT);
  assert.equal(visits, 1, 'and again later');
});

test('each network has its own limit; a trusted proxy has none', (t) => {
  const { reports, open, sweep } = start(t, { maxConnectionsPerNetwork: 2 });
  const other = open('198.51.100.1');
  const networks = [
    ['192.0.2.1', '::ffff:192.0.2.1', '192.0.2.1'],
    ['2001:db8:0:1::1', '2001:db8:0:1:2:3:4:5', '2001:db8:0:1:ffff::'],
    ['fe80::1%eth0', 'fe80::2%eth0', 'fe80::a:b:c:d%eth0'],
  ];
  for (const addresses of networks) {
    const [first, ...later] = addresses.map(open);
    assert.ok(first?.socket.destroyed, String(addresses));
    assert.ok(later.every(({ socket }) => !socket.destroyed));
  }
  assert.ok(!open('2001:db8:0:2::1').socket.destroyed);
  const proxy = Array.from({ length: 5 }, () => open('192.0.2.100'));
  assert.ok([other, ...proxy].every(({ socket }) => !socket.destroyed));
  sweep();
  assert.deepEqual(reports, [{ madeRoom: 3, network: 'fe80:0:0:0::/64' }]);
});
