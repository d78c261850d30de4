/**
 * What the throttle must do on every engine, and in every table: the test file of each passes a function that opens
 * an empty database twice, as two instances do.
 */
import assert from 'node:assert/strict';
import test, { type TestContext } from 'node:test';
import type { Database } from '../database/database.ts';
import { type Attempt, type AttemptKind, createThrottle, type Throttle } from './throttle.ts';

const HERE = '192.0.2.1';
const THERE = '192.0.2.2';

export interface OpenedInstances {
  readonly instances: readonly [Database, Database];
  /** The SQL name of a table of the application; its own without it. */
  readonly table?: string;
}

/** A clock that only moves when a test moves it. */
export function createClock(): {
  readonly now: () => Date;
  readonly pass: (seconds: number) => void;
} {
  let time = Date.parse('2026-11-20T12:00:00.000Z');
  return {
    now: () => new Date(time),
    pass(seconds) {
      time += seconds * 1_000;
    },
  };
}

/** An attempt from an unknown device. */
function unknownDevice(account: string, address: string, kind: AttemptKind = 'log-in'): Attempt {
  return { kind, account, networks: [address], device: null };
}

/** Makes a failing attempt; resolves to the seconds that it must wait, or 0 if it was made. */
async function attempt(throttle: Throttle, one: Attempt, hasFailed = true): Promise<number> {
  const begun = await throttle.begin(one);
  if (begun.kind === 'begun') await throttle.end(one, begun.id, hasFailed);
  assert.notEqual(begun.kind, 'busy');
  return begun.kind === 'wait' ? begun.seconds : 0;
}

async function fail(throttle: Throttle, times: number, account: string, address: string) {
  for (let count = 0; count < times; count++)
    await attempt(throttle, unknownDevice(account, address));
}

/** Stores an attempt as pending; resolves to its id. */
async function begin(throttle: Throttle, one: Attempt): Promise<string> {
  const begun = await throttle.begin(one);
  return begun.kind === 'begun' ? begun.id : assert.fail(`the attempt is to ${begun.kind}`);
}

/** Registers the tests. */
export function describeThrottle(
  name: string,
  open: (t: TestContext) => Promise<OpenedInstances>,
): void {
  const check = (
    behaviour: string,
    run: (opened: {
      readonly throttle: Throttle;
      /** Of another instance. */
      readonly elsewhere: Throttle;
      readonly database: Database;
      readonly table: string;
      readonly clock: ReturnType<typeof createClock>;
    }) => Promise<void>,
  ) =>
    test(`${name}: ${behaviour}`, async (t) => {
      const { instances, table = 'seeother_failed_attempts' } = await open(t);
      const clock = createClock();
      const [throttle, elsewhere] = instances.map((database) =>
        createThrottle(database, {
          now: clock.now,
          ...(table === 'seeother_failed_attempts' ? {} : { table }),
        }),
      ) as [Throttle, Throttle];
      await run({ throttle, elsewhere, database: instances[0], table, clock });
    });

  check('after nine failures the next attempt is allowed, after ten it is not', async (opened) => {
    const { throttle } = opened;
    await fail(throttle, 9, 'ada', HERE);
    assert.equal(await attempt(throttle, unknownDevice('ada', HERE)), 0);
    assert.equal(await attempt(throttle, unknownDevice('ada', HERE)), 180);
  });

  check(
    'failures of one account from many networks, on two instances, count together',
    async (opened) => {
      const { throttle, elsewhere } = opened;
      await fail(throttle, 5, 'ada', '198.51.100.1');
      await fail(elsewhere, 5, 'ada', '198.51.100.2');
      assert.equal(await attempt(throttle, unknownDevice('ada', HERE)), 180);
    },
  );

  check('failures from one network at many accounts count together', async ({ throttle }) => {
    for (let count = 0; count < 10; count++) await fail(throttle, 1, `user-${count}`, HERE);
    assert.equal(await attempt(throttle, unknownDevice('ada', HERE)), 180);
    assert.equal(await attempt(throttle, unknownDevice('ada', THERE)), 0);
  });

  check('an account named like an address is not confused with it', async ({ throttle }) => {
    await fail(throttle, 10, HERE, THERE);
    assert.equal(await attempt(throttle, unknownDevice('ada', HERE)), 0);
  });

  check('the wait ends when the tenth last failure is three minutes old', async (opened) => {
    const { throttle, clock } = opened;
    await fail(throttle, 1, 'ada', HERE);
    clock.pass(60);
    await fail(throttle, 9, 'ada', HERE);
    assert.equal(await attempt(throttle, unknownDevice('ada', HERE)), 120);
    clock.pass(119.5);
    assert.equal(await attempt(throttle, unknownDevice('ada', HERE)), 1);
    clock.pass(0.5);
    assert.equal(await attempt(throttle, unknownDevice('ada', HERE)), 0);
  });

  check('a refused attempt does not extend the wait', async ({ throttle, clock }) => {
    await fail(throttle, 10, 'ada', HERE);
    for (let count = 0; count < 5; count++) await attempt(throttle, unknownDevice('ada', HERE));
    clock.pass(180);
    assert.equal(await attempt(throttle, unknownDevice('ada', HERE)), 0);
  });

  check('after the clock was set back, no wait exceeds the window', async ({ throttle, clock }) => {
    await fail(throttle, 10, 'ada', HERE);
    clock.pass(-5 * 3_600);
    assert.equal(await attempt(throttle, unknownDevice('ada', HERE)), 180);
    clock.pass(100);
    assert.equal(await attempt(throttle, unknownDevice('ada', HERE)), 80);
    clock.pass(80);
    assert.equal(await attempt(throttle, unknownDevice('ada', HERE)), 0);
  });

  check('failures outside the window of their kind are removed', async (opened) => {
    const { throttle, clock, database, table } = opened;
    await fail(throttle, 10, 'ada', HERE);
    await attempt(throttle, unknownDevice('ada', HERE, 'reset'));
    clock.pass(180);
    await fail(throttle, 1, 'bo', THERE);
    const { rows } = await database.read.run<{ subject: string }>(`select subject from ${table}`);
    assert.deepEqual(rows.map(({ subject }) => subject).toSorted(), [
      'account:bo',
      `address:${THERE}`,
      'reset account:ada',
      `reset address:${HERE}`,
    ]);
  });

  check('a successful attempt does not count', async ({ throttle, clock }) => {
    await fail(throttle, 8, 'ada', HERE);
    for (let count = 0; count < 5; count++) {
      clock.pass(1);
      assert.equal(await attempt(throttle, unknownDevice('ada', HERE), false), 0);
    }
    clock.pass(1);
    await fail(throttle, 2, 'ada', HERE);
    assert.equal(await attempt(throttle, unknownDevice('ada', HERE)), 174);
  });

  check('a wider network has a higher limit', async ({ throttle }) => {
    const made: number[] = [];
    // Each attempt is from a new /64: eight in each of eight /56, all in one /48.
    for (let count = 0; count < 64; count++) {
      const networks = [`64-${count}`, `56-${count >> 3}`, '48'];
      const one: Attempt = { kind: 'log-in', account: `user-${count}`, networks, device: null };
      if ((await attempt(throttle, one)) === 0) made.push(count);
    }
    assert.equal(made.length, 40);
    const home = { ...unknownDevice('ada', ''), networks: ['64-home', '56-home', '48-home'] };
    for (let count = 0; count < 30; count++) {
      const networks = [`64-${count}`, '56-home', '48-home'];
      await attempt(throttle, { ...home, networks, account: `user-${count}` });
    }
    assert.equal(await throttle.secondsToWait(home), 180);
    assert.equal(await throttle.secondsToWait({ ...home, networks: ['64', '56', '48-home'] }), 0);
  });

  check(
    'a known device has its own five attempts, whatever has failed elsewhere',
    async (opened) => {
      const { throttle, clock } = opened;
      await fail(throttle, 10, 'ada', HERE);
      const known = { ...unknownDevice('ada', HERE), device: 'd1' };
      for (let count = 0; count < 5; count++) assert.equal(await attempt(throttle, known), 0);
      assert.equal(await attempt(throttle, known), 180);
      assert.equal(await attempt(throttle, { ...known, device: 'd2' }), 0);
      clock.pass(180);
      assert.equal(await attempt(throttle, known), 0);
    },
  );

  check(
    'failures of a known device count neither for its address nor for its account',
    async (opened) => {
      const { throttle } = opened;
      for (let count = 0; count < 5; count++)
        await attempt(throttle, { ...unknownDevice('ada', HERE), device: 'd1' });
      await fail(throttle, 9, 'ada', HERE);
      assert.equal(await attempt(throttle, unknownDevice('ada', HERE)), 0);
    },
  );

  check('each kind has its own limits, which another kind does not use up', async (opened) => {
    const { throttle, clock } = opened;
    const limits = [
      ['log-in', 10, 5, 180],
      ['second factor', 5, 5, 900],
      ['recovery code', 5, 5, 900],
      ['reset', 3, 3, 3_600],
      ['mail link', 5, 5, 900],
    ] as const;
    for (const [kind, account, device, within] of limits) {
      const one = unknownDevice('ada', HERE, kind);
      for (let count = 0; count < account; count++)
        assert.equal(await attempt(throttle, one), 0, kind);
      assert.equal(await attempt(throttle, one), within, kind);
      const known = { ...one, device: 'd1' };
      for (let count = 0; count < device; count++)
        assert.equal(await attempt(throttle, known), 0, kind);
      assert.equal(await attempt(throttle, known), within, kind);
    }
    clock.pass(899);
    for (const [kind, , , within] of limits)
      assert.equal(
        await throttle.secondsToWait(unknownDevice('ada', HERE, kind)),
        Math.max(within - 899, 0),
        kind,
      );
  });

  check(
    'the failures of an account can be deleted by kind, and those of an address stay',
    async (opened) => {
      const { throttle } = opened;
      await fail(throttle, 10, 'ada', HERE);
      for (let count = 0; count < 5; count++)
        await attempt(throttle, unknownDevice('ada', HERE, 'second factor'));
      await throttle.forget({ account: 'ada', kinds: ['log-in'] });
      assert.equal(await attempt(throttle, unknownDevice('ada', THERE)), 0);
      assert.equal(await attempt(throttle, unknownDevice('bo', HERE)), 180);
      assert.equal(await attempt(throttle, unknownDevice('ada', THERE, 'second factor')), 900);
      await throttle.forget({ account: 'ada', kinds: ['second factor'] });
      assert.equal(await attempt(throttle, unknownDevice('ada', THERE, 'second factor')), 0);
    },
  );

  check(
    'those of devices are deleted in the transaction that deletes the devices, or not',
    async (opened) => {
      const { throttle, database } = opened;
      const known = { ...unknownDevice('ada', HERE), device: 'd1' };
      for (let count = 0; count < 5; count++) await attempt(throttle, known);
      const forgotten = { account: 'ada', kinds: [], devices: ['d1'] };
      const rolledBack = database.write(async (transaction) => {
        await throttle.forget(forgotten, transaction);
        throw new Error('rolled back');
      });
      await assert.rejects(rolledBack, /rolled back/);
      assert.equal(await attempt(throttle, known), 180);
      await database.write((transaction) => throttle.forget(forgotten, transaction));
      assert.equal(await attempt(throttle, known), 0);
    },
  );

  check('an attempt waits while pending ones could use up the limit', async (opened) => {
    const { throttle, elsewhere } = opened;
    const one = unknownDevice('ada', HERE);
    await fail(throttle, 7, 'ada', HERE);
    const ids = [
      await begin(throttle, one),
      await begin(elsewhere, one),
      await begin(throttle, one),
    ];
    assert.equal(await throttle.secondsToWait(one), 0);
    const [eleventh, twelfth] = [throttle.begin(one), elsewhere.begin(one)];
    await throttle.end(one, ids[0] ?? '', false);
    const [first, other] = await Promise.race([
      eleventh.then((begun) => [begun, twelfth] as const),
      twelfth.then((begun) => [begun, eleventh] as const),
    ]);
    assert.equal(first.kind, 'begun');
    for (const id of ids.slice(1)) await throttle.end(one, id, true);
    await throttle.end(one, first.kind === 'begun' ? first.id : '', true);
    assert.deepEqual(await other, { kind: 'wait', seconds: 180 });
    assert.equal(await throttle.secondsToWait(one), 180);
  });

  check('an attempt whose process has ended counts as failed after ten seconds', async (opened) => {
    const { throttle, elsewhere, clock } = opened;
    await fail(throttle, 9, 'ada', HERE);
    await begin(throttle, unknownDevice('ada', HERE));
    clock.pass(10);
    assert.equal(await attempt(elsewhere, unknownDevice('ada', HERE)), 170);
  });

  check('the end of an attempt does not end others of the same time', async ({ throttle }) => {
    const one = unknownDevice('ada', HERE);
    const ids = [];
    for (let count = 0; count < 10; count++) ids.push(await begin(throttle, one));
    for (const [index, id] of ids.entries()) await throttle.end(one, id, index > 0);
    assert.equal(await attempt(throttle, one), 0);
    assert.equal(await attempt(throttle, one), 180);
  });

  check(
    'of thirty failing attempts, four at a time on two instances, ten are made',
    async (opened) => {
      const { throttle, elsewhere } = opened;
      const waits: number[] = [];
      const makeSome = async (its: Throttle) => {
        while (waits.length < 30) waits.push(await attempt(its, unknownDevice('ada', HERE)));
      };
      await Promise.all([throttle, elsewhere, throttle, elsewhere].map(makeSome));
      assert.equal(waits.filter((wait) => wait === 0).length, 10);
    },
  );

  check('of ten wrong codes at once on two instances, five are tried', async (opened) => {
    const { throttle, elsewhere } = opened;
    const one = unknownDevice('ada', HERE, 'second factor');
    const tries = Array.from({ length: 10 }, (_, at) =>
      attempt(at % 2 === 0 ? throttle : elsewhere, one),
    );
    const waits = await Promise.all(tries);
    assert.equal(waits.filter((wait) => wait === 0).length, 5);
  });
}
