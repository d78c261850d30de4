/** What an outbox promises, on both engines. outbox-killed.test.ts kills its processes. */
import assert from 'node:assert/strict';
import { AsyncLocalStorage } from 'node:async_hooks';
import test, { type TestContext } from 'node:test';
import { setImmediate as nextTurn } from 'node:timers/promises';
import {
  type Attempt,
  createOutbox,
  type Database,
  DatabaseUnavailable,
  type Outbox,
  type OutboxOptions,
} from 'seeother/database';
import { createBareDatabase } from '../testing/open-bare-database.ts';
import { ENGINES } from '../testing/open-test-database.ts';

interface Note {
  readonly text: string;
}
type Handle = (note: Note, attempt: Attempt) => Promise<unknown>;
type Notes = Outbox<{ note: Note }>;

const HOUR = 3_600_000;
const inHours = (hours: number) => new Date(Date.now() + hours * HOUR);
const unexpected: Handle = async () => assert.fail();
const NEVER = new Promise<never>(() => {});

/** `read` resolves after the first look of an outbox that found nothing. */
function watchReads(database: Database) {
  const { promise, resolve } = Promise.withResolvers<void>();
  const read: Database['read'] = {
    async run(sql, values) {
      const result = await database.read.run<never>(sql, values);
      setImmediate(resolve);
      return result;
    },
  };
  return { database: { ...database, read }, read: promise };
}

for (const { engine, name, skip } of ENGINES) {
  const it = (
    behaviour: string,
    run: (
      create: (handle: Handle, options?: OutboxOptions, database?: Database) => Notes,
      site: {
        readonly database: Database;
        readonly open: () => Promise<Database>;
        readonly add: (outbox: Notes, text: string) => Promise<void>;
        /** The reported messages. */
        readonly reports: readonly string[];
      },
      t: TestContext,
    ) => Promise<void>,
  ) =>
    test(`${behaviour} (${name})`, { skip }, async (t) => {
      const { open } = await createBareDatabase(t, engine);
      const database = await open();
      const outboxes: Notes[] = [];
      const reports: string[] = [];
      const report: OutboxOptions['report'] = ({ message }) => void reports.push(message);
      const create = (handle: Handle, options = {}, used = database) => {
        const outbox = createOutbox(used, { note: handle }, { report, ...options });
        outboxes.push(outbox);
        return outbox;
      };
      const add = (outbox: Notes, text: string) =>
        database.write((transaction) => outbox.afterCommit.note(transaction, { text }));
      try {
        await run(create, { database, open, add, reports }, t);
      } finally {
        await Promise.all(outboxes.map(({ stop }) => stop()));
      }
    });

  it('a job is carried out if and only if its transaction is committed', async (create, site) => {
    const done: string[] = [];
    const outbox = create(async ({ text }) => done.push(text));
    await site.add(outbox, 'a "text"\0 with \u{1f4e7}');
    const rolledBack = site.database.write(async (transaction) => {
      await outbox.afterCommit.note(transaction, { text: 'rolled back' });
      throw new Error('no');
    });
    await assert.rejects(rolledBack, /no/);
    await outbox.run(inHours(100));
    await outbox.run(inHours(100));
    assert.deepEqual(done, ['a "text"\0 with \u{1f4e7}']);
  });

  it('a commit of this process begins its job without a timer, in a context of its own', async (create, {
    database,
    add,
  }, t) => {
    t.mock.timers.enable({ apis: ['setTimeout'] });
    const request = new AsyncLocalStorage<string>();
    const { promise, resolve } = Promise.withResolvers<string | undefined>();
    const watched = watchReads(database);
    const outbox = create(async () => resolve(request.getStore()), {}, watched.database);
    outbox.start();
    await watched.read;
    await request.run('request 1', () => add(outbox, 'now'));
    assert.equal(await promise, undefined);
  });

  it('jobs of another process are found', async (create, { open, add }, t) => {
    t.mock.timers.enable({ apis: ['setTimeout'] });
    const { promise, resolve } = Promise.withResolvers<void>();
    const watched = watchReads(await open());
    create(async () => resolve(), {}, watched.database).start();
    await watched.read;
    await add(create(unexpected), 'elsewhere');
    const ticks = setInterval(() => t.mock.timers.tick(2_000), 10);
    await promise.finally(() => clearInterval(ticks));
  });

  it('a failed attempt is repeated later and later, with the same key', async (create, site, t) => {
    const keys = new Set<string>();
    const attempts: number[] = [];
    const outbox = create(async (_, { key, attempt }) => {
      keys.add(key);
      attempts.push(attempt);
      throw new Error('The mail server is away.');
    });
    await site.add(outbox, 'later');
    const dueAt = async () => {
      const sql = 'select due_at from seeother_outbox';
      return Date.parse(String((await site.database.read.run(sql)).rows[0]?.['due_at']));
    };
    const runAt = async (now: number, random: number) => {
      t.mock.method(Math, 'random', () => random);
      const start = performance.now();
      await outbox.run(new Date(now));
      // The attempt itself has taken some time.
      return (await dueAt()) - now - Math.ceil(performance.now() - start);
    };
    let now = Date.now() + 1;
    for (const [seconds, random] of [
      [2, 0],
      [2, 1],
      [8, 0],
      [8, 1],
    ] as const) {
      const pause = await runAt(now, random);
      assert.ok(pause <= seconds * 1_000 && pause > seconds * 1_000 - 500, `${pause}`);
      now = await dueAt();
      await outbox.run(new Date(now - 1));
    }
    assert.deepEqual(attempts, [1, 2, 3, 4]);
    await site.database.write(({ run }) => run('update seeother_outbox set attempts = 20'));
    assert.ok((await runAt(now, 0)) <= 4 * HOUR);
    assert.equal(keys.size, 1);
    assert.equal(site.reports.length, 5);
  });

  it('after the last attempt, a job is listed, and can be retried or discarded', async (create, site) => {
    let isAway = true;
    const done: number[] = [];
    const outbox = create(
      async (_, { attempt }) => {
        if (isAway) throw new Error('550 no such\0 user');
        done.push(attempt);
      },
      { attempts: 2 },
    );
    await site.add(outbox, 'bad');
    for (const hours of [1, 2, 3]) await outbox.run(inHours(hours));
    const [job, ...others] = await outbox.failed();
    assert.deepEqual(others, []);
    assert.ok(job);
    assert.deepEqual(
      [job.name, job.payload, job.attempts, job.error],
      ['note', { text: 'bad' }, 2, '550 no such user'],
    );
    assert.ok(Math.abs(job.createdAt.getTime() - Date.now()) < HOUR);
    assert.match(
      site.reports.at(-1) ?? '',
      /Attempt 2 of 2 of the job note \(.+\) has failed\. It was the last one\./,
    );
    isAway = false;
    assert.equal(await outbox.retry(job.id), true);
    assert.equal(await outbox.retry(job.id), false);
    assert.deepEqual(await outbox.failed(), []);
    await outbox.run(inHours(1));
    assert.deepEqual(done, [1]);
    assert.equal(await outbox.discard(job.id), false);
    isAway = true;
    await site.add(outbox, 'worse');
    for (const hours of [1, 2]) await outbox.run(inHours(hours));
    assert.equal(await outbox.discard((await outbox.failed())[0]?.id ?? ''), true);
    assert.deepEqual(await outbox.failed(), []);
  });

  it('an attempt that takes too long is aborted, and has failed', async (create, site) => {
    const reasons: unknown[] = [];
    const hanging = async (_: Note, { signal }: Attempt) => {
      signal.addEventListener('abort', () => reasons.push(signal.reason.message));
      await NEVER;
    };
    const outbox = create(hanging, { timeout: 20, attempts: 1 });
    await site.add(outbox, 'slow');
    await outbox.run();
    assert.deepEqual(reasons, ['It took longer than 20 milliseconds.']);
    assert.equal((await outbox.failed())[0]?.error, reasons[0]);
  });

  it('a running job belongs to its process until twice its time', async (create, { add, open }) => {
    const attempts: number[] = [];
    const hold = () => {
      const begun = Promise.withResolvers<void>();
      const end = Promise.withResolvers<void>();
      const handle: Handle = async (_, { attempt }) => {
        attempts.push(attempt);
        begun.resolve();
        await end.promise;
      };
      return { begun: begun.promise, end, handle };
    };
    const [first, second] = [hold(), hold()];
    const slow = create(first.handle);
    const other = create(second.handle, {}, await open());
    await add(slow, 'taken');
    const now = Date.now() + 1;
    const firstRun = slow.run(new Date(now));
    await first.begun;
    await other.run(new Date(now + 59_000));
    assert.deepEqual(attempts, [1]);
    const secondRun = other.run(new Date(now + 61_000));
    await second.begun;
    // A failure of the first attempt does not count any more.
    first.end.reject(new Error('no'));
    await firstRun;
    await slow.run(new Date(now + 120_000));
    second.end.resolve();
    await secondRun;
    assert.deepEqual(attempts, [1, 2]);
  });

  it('a job that ends its process each time is given up', async (create, site) => {
    const outbox = create(unexpected, { attempts: 2 });
    await site.add(outbox, 'fatal');
    await site.database.write(({ run }) => run('update seeother_outbox set attempts = 2'));
    await outbox.run(inHours(1));
    const [job] = await outbox.failed();
    assert.ok(job);
    assert.equal(job.attempts, 2);
    assert.match(job.error, /^The process ended during the last attempt/);
  });

  it('after a clock was set back by 25 hours, no job waits longer than a lease', async (create, site, t) => {
    t.mock.timers.enable({ apis: ['setTimeout'] });
    const done = new Set<string>();
    const { promise, resolve } = Promise.withResolvers<void>();
    const outbox = create(
      async ({ text }) => {
        done.add(text);
        if (done.size === 3) resolve();
      },
      { timeout: 50 },
    );
    for (const text of ['new', 'failed', 'running']) await site.add(outbox, text);
    // What the jobs of a process whose clock is ahead look like.
    await site.database.write(async ({ run }) => {
      await run(`update seeother_outbox set due_at = '${inHours(25).toISOString()}'`);
      const set = (error: string, text: string) =>
        run(`update seeother_outbox set attempts = 1, error = '${error}'
          where payload = '{"text":"${text}"}'`);
      await set('The mail server is away.', 'failed');
      await set('running', 'running');
    });
    outbox.start();
    const ticks = setInterval(() => t.mock.timers.tick(2_000), 10);
    await promise.finally(() => clearInterval(ticks));
  });

  it('several processes share the jobs, and carry out each once', async (create, site) => {
    const counts = new Map<string, number>();
    const handle: Handle = async ({ text }) => void counts.set(text, (counts.get(text) ?? 0) + 1);
    const databases = [site.database, await site.open(), await site.open()];
    const outboxes = databases.map((database) => create(handle, { concurrency: 3 }, database));
    const [first] = outboxes;
    assert.ok(first);
    const texts = Array.from({ length: 60 }, (_, index) => `text ${index}`);
    await Promise.all(texts.map((text) => site.add(first, text)));
    await Promise.all(outboxes.map(({ run }) => run()));
    await first.run(inHours(1));
    assert.deepEqual([...counts.keys()].sort(), texts.sort());
    assert.deepEqual(new Set(counts.values()), new Set([1]));
  });

  it('at most as many jobs run at once as it was told', async (create, { add }) => {
    const running = new Set<string>();
    const done: string[] = [];
    let most = 0;
    const { promise: others, resolve } = Promise.withResolvers<void>();
    const { promise: all, resolve: finish } = Promise.withResolvers<void>();
    const outbox = create(
      async ({ text }) => {
        running.add(text);
        most = Math.max(most, running.size);
        // The first one runs beside all others.
        await (running.size + done.length === 1 ? others : nextTurn());
        running.delete(text);
        if (done.push(text) === 4) resolve();
        if (done.length === 5) finish();
      },
      { concurrency: 2 },
    );
    for (const text of ['0', '1', '2', '3', '4']) await add(outbox, text);
    outbox.start();
    await all;
    assert.equal(most, 2);
  });

  it('stop waits for running jobs, and begins no other', async (create, { add }) => {
    const events: string[] = [];
    const { promise: begun, resolve } = Promise.withResolvers<void>();
    const { promise: end, resolve: finish } = Promise.withResolvers<void>();
    const outbox = create(
      async ({ text }) => {
        events.push(text);
        resolve();
        await end;
        events.push('done');
      },
      { concurrency: 1 },
    );
    await add(outbox, 'first');
    outbox.start();
    await outbox.stop();
    assert.equal(events.length, 0);
    outbox.start();
    await begun;
    const stopped = outbox.stop().then(() => events.push('stopped'));
    await add(outbox, 'second');
    finish();
    await stopped;
    assert.deepEqual(events, ['first', 'done', 'stopped']);
  });

  // PostgreSQL's pools have timers of their own.
  if (engine === 'sqlite')
    it('an idle outbox does not keep the process alive', async (create) => {
      const countTimers = () =>
        process.getActiveResourcesInfo().filter((name) => name === 'Timeout').length;
      const before = countTimers();
      const outbox = create(unexpected);
      outbox.start();
      await outbox.run();
      assert.equal(countTimers(), before);
    });

  it('jobs that nobody carries out are told of once, with the remedy', async (create, {
    add,
    reports,
  }, t) => {
    t.mock.timers.enable({ apis: ['setTimeout', 'Date'], now: Date.now() });
    const isTold = () =>
      reports.some((line) => /no process carries them out: call start/.test(line));
    const pass = async (isOver: () => boolean, limit = 2_000) => {
      const { promise, resolve } = Promise.withResolvers<void>();
      let seconds = 0;
      // Each is some real milliseconds, for the database.
      const ticks = setInterval(() => {
        t.mock.timers.tick(1_000);
        if (isOver() || ++seconds === limit) resolve();
      }, 5);
      await promise.finally(() => clearInterval(ticks));
    };
    const started = create(async () => {});
    await add(started, 'run by hand');
    await started.run();
    const outbox = create(unexpected);
    await add(outbox, 'carried out by another process');
    await started.run();
    await pass(isTold, 40);
    assert.deepEqual(reports, []);
    await add(outbox, 'lost');
    await pass(isTold);
    await add(outbox, 'lost too');
    await pass(() => reports.length > 1, 40);
    assert.deepEqual(reports.length, 1);
    assert.match(reports[0] ?? '', /^Jobs wait in the outbox \(note\), and no process/);
    await started.run(inHours(1));
  });

  it('a job that is done while the database is away does not run again', async (create, site) => {
    let failures = 0;
    const write: Database['write'] = async (work) => {
      if (done === 1 && ++failures < 3) throw new DatabaseUnavailable('it is away.');
      return site.database.write(work);
    };
    let done = 0;
    const outbox = create(async () => void done++, {}, { ...site.database, write });
    await site.add(outbox, 'once');
    await outbox.run();
    await outbox.run(inHours(1));
    assert.equal(done, 1);
    assert.equal(failures >= 3, true);
  });

  it('a database that is away is reported once, and looked at again', async (create, site, t) => {
    t.mock.timers.enable({ apis: ['setTimeout'] });
    const { promise, resolve } = Promise.withResolvers<void>();
    let looks = 0;
    const read: Database['read'] = {
      async run(sql, values) {
        if (++looks < 3) throw new DatabaseUnavailable('it is away.');
        return site.database.read.run<never>(sql, values);
      },
    };
    const outbox = create(async () => resolve(), {}, { ...site.database, read });
    await site.add(outbox, 'later');
    outbox.start();
    const ticks = setInterval(() => t.mock.timers.tick(2_000), 10);
    await promise.finally(() => clearInterval(ticks));
    assert.deepEqual(site.reports, ['Cannot look for jobs in the outbox.']);
  });

  it('a job that this version does not know is left to another', async (create, site) => {
    const done: string[] = [];
    const outbox = create(async ({ text }) => done.push(text));
    await site.add(outbox, 'known elsewhere');
    const older = createOutbox(site.database, { other: async () => assert.fail() });
    await older.run(inHours(1));
    await outbox.run();
    assert.deepEqual(done, ['known elsewhere']);
  });

  it('a table of yours is used as it is', async (create, { add, database }) => {
    await database.write(({ run }) =>
      run(`create table jobs (id text primary key, name text not null, payload text not null,
        attempts integer not null, due_at text, error text not null, created_at text not null)`),
    );
    const done: string[] = [];
    const outbox = create(async ({ text }) => done.push(text), { table: 'jobs' });
    await add(outbox, 'mine');
    await outbox.run();
    assert.deepEqual(done, ['mine']);
    await assert.rejects(database.read.run('select 1 from seeother_outbox'));
  });
}
