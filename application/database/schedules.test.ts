/** What the schedules of an outbox promise, on both engines. Times are passed to `run`, so no test waits for them. */
import assert from 'node:assert/strict';
import test, { type TestContext } from 'node:test';
import {
  type Attempt,
  createOutbox,
  type Database,
  type Outbox,
  type OutboxOptions,
} from 'seeother/database';
import { onEvent } from 'seeother/observe';
import { every, type ScheduledJob, type ScheduleOptions } from 'seeother/schedules';
import { createBareDatabase } from '../testing/open-bare-database.ts';
import { ENGINES } from '../testing/open-test-database.ts';

type Sweep = (at: Date, attempt: Attempt) => Promise<unknown>;
type Sweeps = Pick<Outbox<never>, 'run' | 'schedules' | 'failed' | 'retry' | 'discard' | 'start'>;

const at = (text: string) => new Date(`2026-${text}:00.000Z`);
const NOON = at('11-28T12:00');

for (const { engine, name, skip } of ENGINES) {
  const it = (
    behaviour: string,
    run: (
      create: (
        jobs: Readonly<Record<string, ScheduledJob>>,
        options?: OutboxOptions,
        used?: Database,
      ) => Sweeps,
      site: {
        readonly database: Database;
        readonly open: () => Promise<Database>;
        readonly reports: readonly string[];
        readonly rows: () => Promise<readonly Readonly<Record<string, unknown>>[]>;
      },
      t: TestContext,
    ) => Promise<void>,
  ) =>
    test(`${behaviour} (${name})`, { skip }, async (t) => {
      const { open } = await createBareDatabase(t, engine);
      const database = await open();
      const stops: (() => Promise<void>)[] = [];
      const reports: string[] = [];
      const report: OutboxOptions['report'] = ({ message }) => void reports.push(message);
      const create = (
        jobs: Readonly<Record<string, ScheduledJob>>,
        options = {},
        used = database,
      ) => {
        const outbox = createOutbox(used, jobs, { report, ...options });
        stops.push(outbox.stop);
        return outbox;
      };
      const rows = async () =>
        (await database.read.run('select * from seeother_outbox order by id')).rows;
      try {
        await run(create, { database, open, reports, rows }, t);
      } finally {
        await Promise.all(stops.map((stop) => stop()));
      }
    });

  /** A schedule that notes its runs: their times, keys and attempts. */
  const daily = (options: ScheduleOptions = {}, work: Sweep = async () => {}) => {
    const runs: string[] = [];
    const keys = new Set<string>();
    const sweep = every(
      'day at 03:00',
      async (time, attempt) => {
        runs.push(`${time.toISOString().slice(5, 16)} ${attempt.attempt}`);
        keys.add(attempt.key);
        await work(time, attempt);
      },
      options,
    );
    return { runs, keys, sweep };
  };

  it('a schedule runs at its time, with a key of its own, and once', async (create) => {
    const { runs, keys, sweep } = daily();
    const { run, schedules } = create({ sweep });
    await run(NOON);
    assert.deepEqual(await schedules(), [
      { name: 'sweep', at: at('11-29T03:00'), isRunning: false, error: null, succeededAt: null },
    ]);
    await run(at('11-29T02:59'));
    assert.deepEqual(runs, []);
    for (const time of ['11-29T03:00', '11-29T03:00', '11-29T03:01', '11-30T03:00'])
      await run(at(time));
    assert.deepEqual(runs, ['11-29T03:00 1', '11-30T03:00 1']);
    assert.equal(keys.size, 2);
    for (const key of keys)
      assert.match(key, /^[\da-f]{8}-[\da-f]{4}-8[\da-f]{3}-8[\da-f]{3}-[\da-f]{12}$/);
    const [state] = await schedules();
    assert.deepEqual([state?.at, state?.succeededAt], [at('12-01T03:00'), at('11-30T03:00')]);
  });

  it('several instances run it once', async (create, { database, open, rows }) => {
    const { runs, sweep } = daily();
    const databases = [database, await open(), await open()];
    const outboxes = databases.map((one) => create({ sweep }, {}, one));
    for (const time of ['11-28T12:00', '11-29T03:00', '11-29T03:00', '11-30T03:02'])
      await Promise.all(outboxes.map(({ run }) => run(at(time))));
    assert.deepEqual(runs, ['11-29T03:00 1', '11-30T03:00 1']);
    assert.equal((await rows()).length, 1);
  });

  it('a run that fails is repeated with its key, and stands for the next times too', async (create, site) => {
    let isAway = true;
    const { runs, keys, sweep } = daily({}, async () => {
      if (isAway) throw new Error('The disk is away.');
    });
    const { run, schedules, failed } = create({ sweep }, { attempts: 2 });
    await run(NOON);
    for (const time of ['11-29T03:00', '11-29T03:01', '11-29T03:02', '11-30T03:00'])
      await run(at(time));
    assert.deepEqual(
      runs,
      [1, 2, 3, 4].map((attempt) => `11-29T03:00 ${attempt}`),
    );
    assert.deepEqual(await failed(), []);
    const [state] = await schedules();
    assert.deepEqual([state?.at, state?.error], [at('11-29T03:00'), 'The disk is away.']);
    assert.match(site.reports.join('\n'), /^Attempt 1 of the job sweep .* will run again\.$/m);
    isAway = false;
    for (const time of ['11-30T03:01', '11-30T04:00', '12-01T03:00']) await run(at(time));
    assert.deepEqual(runs.slice(4), ['11-29T03:00 5', '12-01T03:00 1']);
    assert.equal(keys.size, 2);
    assert.equal((await schedules())[0]?.error, null);
  });

  it('a retry never comes later than the next time', async (create, { rows }) => {
    const { run } = create({
      ping: every('5 minutes', async () => {
        throw new Error('no');
      }),
    });
    await run(NOON);
    for (let minute = 5; minute < 60; minute++)
      await run(new Date(NOON.getTime() + minute * 60_000));
    const [row] = await rows();
    assert.ok(Number(row?.['attempts']) >= 11);
    assert.equal(row?.['due_at'], at('11-28T13:00').toISOString());
  });

  it('missed times are made up for by one run, or left out by choice', async (create) => {
    const [kept, left] = [daily(), daily({ catchUp: false })];
    const { run } = create({ kept: kept.sweep, left: left.sweep });
    await run(NOON);
    // Until five minutes late, it is not missed, whatever was missed before.
    for (const time of ['11-29T03:04', '12-02T12:00', '12-02T12:00', '12-03T03:00', '12-05T03:04'])
      await run(at(time));
    const both = ['12-03T03:00 1', '12-04T03:00 1'];
    assert.deepEqual(kept.runs, ['11-29T03:00 1', '11-30T03:00 1', ...both]);
    assert.deepEqual(left.runs, ['11-29T03:00 1', '12-03T03:00 1', '12-05T03:00 1']);
  });

  it('without catching up, a failed run is repeated for five minutes, and not later', async (create) => {
    const { runs, keys, sweep } = daily({ catchUp: false }, async () => {
      throw new Error('no');
    });
    const { run } = create({ sweep });
    await run(NOON);
    for (const time of ['11-29T03:00', '11-29T03:01', '11-29T03:06', '11-30T03:04'])
      await run(at(time));
    assert.deepEqual(runs, ['11-29T03:00 1', '11-29T03:00 2', '11-30T03:00 1']);
    assert.equal(keys.size, 2);
  });

  it('two runs never overlap, and a time that comes meanwhile is made up for', async (create, {
    open,
  }) => {
    const begun = Promise.withResolvers<void>();
    const end = Promise.withResolvers<void>();
    const runs: string[] = [];
    const ping = every('minute', async (time) => {
      runs.push(time.toISOString().slice(11, 16));
      begun.resolve();
      await end.promise;
    });
    const [one, other] = [create({ ping }), create({ ping }, {}, await open())];
    await one.run(NOON);
    const running = one.run(at('11-28T12:01'));
    await begun.promise;
    assert.equal((await other.schedules())[0]?.isRunning, true);
    await other.run(new Date(at('11-28T12:01').getTime() + 59_000));
    assert.deepEqual(runs, ['12:01']);
    end.resolve();
    await running;
    await other.run(at('11-28T12:05'));
    assert.deepEqual(runs, ['12:01', '12:02']);
  });

  it('the run of a killed process runs again, with the same key', async (create, site) => {
    const { runs, keys, sweep } = daily();
    const { run } = create({ sweep });
    await run(NOON);
    await site.database.write(async ({ run: write }) => {
      await write(`update seeother_outbox set attempts = 1, error = 'running',
        due_at = '${at('11-29T03:01').toISOString()}'`);
    });
    await run(at('11-29T03:00'));
    assert.deepEqual(runs, []);
    await run(at('11-29T03:01'));
    assert.deepEqual(runs, ['11-29T03:00 2']);
    assert.equal(keys.size, 1);
    assert.match(site.reports.join(), /Attempt 1 of the job sweep \(every:sweep\) did not end/);
  });

  it('a run that ends its process each time is given up until the next time', async (create, site) => {
    const { runs, sweep } = daily();
    const { run, failed } = create({ sweep }, { attempts: 2 });
    await run(NOON);
    await site.database.write(({ run: write }) =>
      write(
        `update seeother_outbox set attempts = 2, error = 'running alone', due_at = '${at('11-29T03:01').toISOString()}'`,
      ),
    );
    await run(at('11-29T03:01'));
    await run(at('11-29T03:02'));
    assert.deepEqual([runs, await failed()], [[], []]);
    assert.match(site.reports.join(), /Attempt 2 of the job sweep .* at its next time\./);
    await run(at('11-30T03:00'));
    assert.deepEqual(runs, ['11-30T03:00 1']);
  });

  it('other times begin anew, and a schedule that was removed leaves nothing', async (create, {
    rows,
  }) => {
    const { runs, sweep } = daily();
    await create({ sweep }).run(NOON);
    const moved = create({
      tidy: every('day at 05:00', async () => {}),
      sweep: every('hour', sweep),
    });
    await moved.run(at('11-28T12:10'));
    assert.deepEqual(
      (await moved.schedules()).map(({ name: one, at: time }) => [one, time]),
      [
        ['tidy', at('11-29T05:00')],
        ['sweep', at('11-28T13:00')],
      ],
    );
    assert.deepEqual(runs, []);
    // Another version of the program may still have it.
    const renamed = create({ clean: every('hour', async () => {}) });
    await renamed.run(at('11-28T14:30'));
    assert.equal((await rows()).length, 3);
    await renamed.run(at('12-30T05:00'));
    assert.deepEqual(
      (await rows()).map(({ id }) => id),
      ['every:clean'],
    );
    assert.deepEqual(runs, []);
  });

  it('a clock that is set back by up to an hour runs nothing twice, and one that was far ahead stops nothing', async (create) => {
    const { runs, sweep } = daily();
    const { run, schedules } = create({ sweep });
    await run(NOON);
    for (const time of ['11-29T03:10', '11-29T02:20', '11-29T03:00']) await run(at(time));
    assert.deepEqual(runs, ['11-29T03:00 1']);
    await run(new Date('2031-05-05T12:00:00.000Z'));
    assert.equal(runs.length, 2);
    await run(at('11-29T12:00'));
    assert.deepEqual((await schedules())[0]?.at, at('11-30T03:00'));
    await run(at('11-30T03:00'));
    assert.deepEqual(runs.slice(2), ['11-30T03:00 1']);
  });

  it('clocks that differ a little run nothing twice', async (create, { open }) => {
    const { runs, sweep } = daily();
    const [fast, slow] = [create({ sweep }), create({ sweep }, {}, await open())];
    await fast.run(NOON);
    await fast.run(at('11-29T03:00'));
    const before = new Date(at('11-29T03:00').getTime() - 20_000);
    for (const time of [before, at('11-29T03:00')]) await slow.run(time);
    assert.deepEqual(runs, ['11-29T03:00 1']);
  });

  it('a run is an event of its name, and nobody can discard a schedule', async (create, {
    rows,
  }, t) => {
    const events: unknown[] = [];
    t.after(onEvent('job', ({ name: job, hasFailed }) => events.push([job, hasFailed])));
    const { sweep } = daily();
    const { run, discard, retry } = create({ sweep });
    await run(NOON);
    await run(at('11-29T03:00'));
    assert.deepEqual(events, [['sweep', false]]);
    assert.equal(await discard('every:sweep'), false);
    assert.equal(await retry('every:sweep'), false);
    assert.equal((await rows()).length, 1);
  });

  it('start runs it when its time has come', async (create, _site, t) => {
    const { promise, resolve } = Promise.withResolvers<Date>();
    const { run, start } = create({ ping: every('minute', async (time) => resolve(time)) });
    // Makes the table, which takes some minutes of the clock of the test on a slow machine.
    await run(NOON);
    t.mock.timers.enable({ apis: ['setTimeout', 'Date'], now: NOON });
    start();
    const ticks = setInterval(() => t.mock.timers.tick(1_000), 5);
    assert.deepEqual(await promise.finally(() => clearInterval(ticks)), at('11-28T12:01'));
  });

  it('the run of a process that was faster, and was killed, is looked at again in time', async (create, {
    database,
  }, t) => {
    const lease = at('11-28T12:01').getTime() + 20_000;
    let writes = 0;
    const write: Database['write'] = async (work) => {
      // The first one makes the table.
      if (++writes === 2) {
        await database.write(({ run }) =>
          run(`update seeother_outbox set attempts = 1, error = 'running',
            due_at = '${new Date(lease).toISOString()}'`),
        );
      }
      return database.write(work);
    };
    const { promise, resolve } = Promise.withResolvers<number>();
    const ping = every('minute', async () => resolve(Date.now()));
    await create({ ping }).run(NOON);
    t.mock.timers.enable({ apis: ['setTimeout', 'Date'], now: at('11-28T12:01') });
    const { start } = create({ ping }, {}, { ...database, write });
    start();
    const ticks = setInterval(() => t.mock.timers.tick(1_000), 20);
    const begunAt = await promise.finally(() => clearInterval(ticks));
    assert.ok(begunAt >= lease && begunAt < lease + 15_000, new Date(begunAt).toISOString());
  });

  it('schedules that nobody runs are told of once', async (create, { reports, open }, t) => {
    t.mock.timers.enable({ apis: ['setTimeout', 'Date'], now: NOON });
    const wait = async (limit: number) => {
      const { promise, resolve } = Promise.withResolvers<void>();
      let seconds = 0;
      // Each is some real milliseconds, for the database.
      const ticks = setInterval(() => {
        t.mock.timers.tick(1_000);
        if (reports.length > 0 || ++seconds === limit) resolve();
      }, 5);
      await promise.finally(() => clearInterval(ticks));
    };
    const { sweep } = daily();
    // Another process has started it.
    await create({ sweep }, {}, await open()).run();
    create({ sweep });
    await wait(40);
    assert.deepEqual(reports, []);
    create({ ping: every('minute', async () => {}) });
    await wait(2_000);
    assert.match(
      reports.join(),
      /^Jobs wait in the outbox \(ping\), and no process .* call start\(\)/,
    );
  });
}
