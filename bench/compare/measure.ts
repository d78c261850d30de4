/** Runs both sides, both on the first core, and sends them the same numbers of requests by turns. */
import { once } from 'node:events';
import { copyFileSync, mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { openClient, Shed } from '../servers/harness/send-requests.ts';
import { type RunningServer, startServer } from '../servers/harness/start-server.ts';
import { FOLDER, fillApplication, seeotherEnvironment } from '../servers/harness/things.ts';
import { logIn } from '../servers/harness/visit.ts';
import type { Counts } from './answer-counts.ts';
import { KINDS, type Kind, type Side } from './kinds.ts';

export interface Subject {
  readonly title: string;
  readonly folder: string;
  /** Whether the application runs as it is deployed, or from its source. */
  readonly isBundle: boolean;
}

/** What one round has taken, all of it per request. */
export interface Sample extends Counts {
  /** Bytes of the answers, headers included. */
  readonly sent: number;
}

/** Samples of the older and of the newer side; those of the same index were taken one after the other. */
export type Pairs<T> = readonly [older: T[], newer: T[]];

export interface Result {
  readonly name: string;
  readonly measured: Pairs<Sample>;
  /** With statements, which are not counted in the measured rounds. */
  readonly counted: Pairs<Sample>;
}

export interface Figure {
  readonly name: string;
  readonly samples: Pairs<number>;
}

/** Processes of each side: two processes of the same code differ by a few percent. */
const PROCESSES = 3;
/** Of rounds, with each process. */
const PAIRS = 8;
const STARTS = 15;
const WARM_UP = 10_000;
/** Milliseconds until whatever a start or a load has left to do is done. */
const REST = 1_000;
const MEGABYTE = 2 ** 20;

export async function measureKinds(
  subjects: readonly Subject[],
  kinds: readonly Kind[],
): Promise<{ results: readonly Result[]; memory: readonly Figure[] }> {
  const results = kinds.map((kind) => ({
    kind,
    name: kind.name,
    measured: pairs<Sample>(),
    counted: pairs<Sample>(),
  }));
  const atRest: Figure = { name: 'memory at rest, MB', samples: pairs() };
  const used: Figure = { name: 'memory after 10,000 requests, MB', samples: pairs() };
  for (let left = PROCESSES; left > 0; left--) {
    for (const server of new Set(kinds.map((kind) => kind.server))) {
      process.stderr.write(`${server}, ${left} to go\n`);
      const sides: Opened[] = [];
      for (const [at, subject] of subjects.entries())
        sides.push(await openSide(subject, at, server));
      for (const [at, side] of sides.entries()) {
        if (server !== 'items') continue;
        await setTimeout(REST);
        atRest.samples[at]?.push((await side.ask()).memory / MEGABYTE);
        await takeRound(side, {
          ...(KINDS.find(({ name }) => name === 'list') as Kind),
          count: WARM_UP,
        });
        await setTimeout(REST);
        used.samples[at]?.push((await side.ask()).memory / MEGABYTE);
      }
      const own = results.filter(({ kind }) => kind.server === server);
      for (const { kind, measured } of own) {
        for (const side of sides) await takeRound(side, kind);
        for (let pair = 0; pair < PAIRS; pair++) {
          for (const at of pair % 2 === 0 ? [0, 1] : [1, 0]) {
            measured[at]?.push(await takeRound(sides[at] as Opened, kind));
          }
        }
      }
      for (const [at, side] of sides.entries()) {
        await side.ask('statements');
        for (const { kind, counted } of own) counted[at]?.push(await takeRound(side, kind));
        await side.stop();
      }
    }
  }
  return { results, memory: [atRest, used] };
}

/** Until the first answer. */
export async function measureStarts(subjects: readonly Subject[]): Promise<readonly Figure[]> {
  const time: Figure = { name: 'start, ms', samples: pairs() };
  const cpu: Figure = { name: 'start, CPU ms', samples: pairs() };
  for (let pair = -1; pair < STARTS; pair++) {
    process.stderr.write(pair === 0 ? 'starts\n' : '');
    for (const at of pair % 2 === 0 ? [0, 1] : [1, 0]) {
      const server = await start(subjects[at] as Subject, at, 'items');
      const used = (await askCounts(server)).cpu / 1_000;
      await server.stop();
      // The first fills the compile cache.
      if (pair === -1) continue;
      time.samples[at]?.push(server.firstAnswerAfter);
      cpu.samples[at]?.push(used);
    }
  }
  return [time, cpu];
}

interface Opened extends Side {
  readonly ask: (question?: 'statements') => Promise<Counts>;
  readonly stop: () => Promise<void>;
}

async function openSide(subject: Subject, at: number, kind: Kind['server']): Promise<Opened> {
  const server = await start(subject, at, kind);
  return {
    url: server.url,
    cookie: kind === 'items' ? await logIn(server.url) : '',
    ask: (question) => askCounts(server, question),
    stop: server.stop,
  };
}

/** Another round in place of one that the machine has disturbed so much that the server has refused requests. */
async function takeRound(side: Opened, kind: Kind): Promise<Sample> {
  for (let tries = 5; ; tries--) {
    try {
      return await tryRound(side, kind);
    } catch (error) {
      if (!(error instanceof Shed) || tries === 1) throw error;
      process.stderr.write(`${kind.name} once more: the machine was busy with something else.\n`);
      await setTimeout(REST);
    }
  }
}

async function tryRound(side: Opened, kind: Kind): Promise<Sample> {
  const { count, status, connections, make } = kind;
  const requests = await make(side, count);
  const client = await openClient(side.url, connections);
  const before = await side.ask();
  const answers = await client.send({ requests, count, status });
  const after = await side.ask();
  const sent = answers.reduce((sum, { length }) => sum + length, 0);
  return {
    cpu: (after.cpu - before.cpu) / count,
    allocated: (after.allocated - before.allocated) / count,
    statements: (after.statements - before.statements) / count,
    rows: (after.rows - before.rows) / count,
    memory: after.memory,
    sent: sent / count,
  };
}

async function askCounts(server: RunningServer, question = 'counts'): Promise<Counts> {
  const answer = once(server.child, 'message');
  server.child.send(question);
  return (await answer)[0] as Counts;
}

/** Which databases are filled already, by the index of the side. */
const filled = new Set<number>();

/** A new process; the application gets the same database each time. */
async function start(subject: Subject, at: number, kind: Kind['server']): Promise<RunningServer> {
  const { title, folder, isBundle } = subject;
  const place = join(FOLDER, String(at));
  const [original, file] = [join(place, 'filled.db'), join(place, 'running.db')];
  const main = join(folder, isBundle ? 'dist/application/main.js' : 'application/main.ts');
  const command =
    kind === 'items' ? [main] : [join(folder, 'bench/servers/contenders/seeother.ts'), kind];
  const startWith = (database: string) =>
    startServer({
      name: `${kind} of ${title}`,
      command: ['--import', join(import.meta.dirname, 'answer-counts.ts'), ...command],
      path: kind === 'items' ? '/items' : '/items/42',
      environment: {
        ...seeotherEnvironment(database),
        FILES_FOLDER: join(place, 'files'),
        NODE_COMPILE_CACHE: join(place, 'compiled'),
      },
      hasChannel: true,
    });
  if (kind !== 'items') return startWith(file);
  if (!filled.has(at)) {
    mkdirSync(place, { recursive: true });
    await fillApplication(await startWith(original));
    filled.add(at);
  }
  for (const end of ['', '-wal', '-shm']) rmSync(file + end, { force: true });
  copyFileSync(original, file);
  return startWith(file);
}

function pairs<T>(): Pairs<T> {
  return [[], []];
}
