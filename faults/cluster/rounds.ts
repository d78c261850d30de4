/**
 * Three nodes and two instances of the service, to which forms are sent while one fault after another hits the leader.
 * A form without an answer, or with a 503, is sent again, to the other instance, until it has its item: as a person
 * does. Prints a row of a table per round, and at last the sums as JSON. Arguments: an empty folder, how the service
 * reaches the cluster (a name of `WAYS`), and the number of rounds.
 */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import {
  type RunningApplication,
  startApplication,
} from '../../application/testing/start-application.ts';
import {
  type Books,
  compareBooks,
  createBooks,
  describeRefusals,
  logIn,
  nextForm,
  readItems,
  sendForm,
} from '../send-forms.ts';
import { type ClusterNode, createNetwork, createNode, NAMES } from './nodes.ts';
import { WAYS } from './ways.ts';

const SENDERS = 8;
/** Milliseconds. */
const PAUSE = 50;
const HEALTHY_LIMIT = 180_000;
const WRITTEN_LIMIT = 60_000;
/** Of a fault, beyond the time until forms are saved again. */
const BEYOND = 5_000;

interface Fault {
  readonly name: string;
  readonly begin: (leader: ClusterNode) => void;
  readonly end: (leader: ClusterNode) => void;
}

const FAULTS: readonly Fault[] = [
  { name: 'killed', begin: (node) => node.kill(), end: (node) => node.start() },
  { name: 'frozen', begin: (node) => node.freeze(), end: (node) => node.thaw() },
  { name: 'disk full', begin: (node) => node.fillDisk(), end: (node) => node.freeDisk() },
  { name: 'network cut', begin: (node) => node.cut(), end: (node) => node.join() },
];

const [folder = '', way = 'hosts', count = '20'] = process.argv.slice(2);
createNetwork();
const nodes = NAMES.map((name) => createNode(name, folder));
for (const node of nodes) node.start();
await untilHealthy();
const leader = await findLeader();
const superuser = new pg.Client(`postgres://postgres:change-this-1@${leader.address}/postgres`);
await superuser.connect();
await superuser.query("create role seeother login password 'secret'");
await superuser.query('create database seeother owner seeother');
await superuser.end();

const direct = `postgres://seeother:secret@${nodes.map(({ address }) => address).join(',')}/seeother?target_session_attrs=read-write`;
const url = WAYS[way as keyof typeof WAYS](direct, folder);
const instances: RunningApplication[] = [];
let processesEnded = 0;
for (const _ of [1, 2]) {
  const instance = await startApplication({
    SAMPLE_ITEMS: '0',
    DATABASE_TIMEOUT: '2',
    DATABASE_URL: url,
  });
  instance.process.on('exit', () => processesEnded++);
  instances.push(instance);
}
const cookie = await logIn(instances[0]?.url ?? '');
const books: Books = createBooks();
let savedAt = performance.now();
let longestPause = 0;
let isOver = false;
const senders = Array.from({ length: SENDERS }, (_, index) => sendOn(index));

process.stdout.write(
  '| round | the leader is | acknowledged | refused | lost | doubled | seconds without a saved form |\n|--:|---|--:|--:|--:|--:|--:|\n',
);
let refusedBefore = 0;
let longest = 0;
for (let round = 1; round <= Number(count); round++) {
  const fault = FAULTS[(round - 1) % FAULTS.length] as Fault;
  await untilHealthy();
  const from = books.forms.length;
  const victim = await findLeader();
  await sleep(1_000);
  longestPause = 0;
  fault.begin(victim);
  await untilSavedAgain(victim);
  await sleep(BEYOND);
  const pause = Math.max(longestPause, performance.now() - savedAt);
  fault.end(victim);
  await untilHealthy();
  const forms = books.forms.slice(from);
  const { acknowledged, lost, doubled } = compareBooks({ ...books, forms }, await readAll());
  const refused = [...books.refusals.values()].reduce((sum, one) => sum + one, 0);
  longest = Math.max(longest, pause);
  process.stdout.write(
    `| ${round} | ${fault.name} (${victim.name}) | ${acknowledged} | ${refused - refusedBefore} | ${lost} | ${doubled} | ${(pause / 1_000).toFixed(1)} |\n`,
  );
  refusedBefore = refused;
}
isOver = true;
await Promise.all(senders);
const report = {
  refused: describeRefusals(books),
  ...compareBooks(books, await readAll()),
  processesEnded,
  longestPause: Math.round(longest),
};
for (const [index, instance] of instances.entries())
  writeFileSync(join(folder, `instance-${index + 1}.log`), instance.output().errors);
process.stdout.write(`${JSON.stringify(report)}\n`);
// The namespace of processes ends with this one.
process.exit(0);

async function sendOn(index: number): Promise<void> {
  while (!isOver) {
    const form = nextForm(books);
    for (let attempt = index; form.path === null; attempt++) {
      await sendForm(books, form, instances[attempt % 2]?.url ?? '', cookie);
      if (form.path === null) await sleep(PAUSE);
    }
    longestPause = Math.max(longestPause, performance.now() - savedAt);
    savedAt = performance.now();
  }
}

interface Status {
  readonly timeline: number;
  /** Of a leader. */
  readonly replication?: readonly { readonly state: string }[];
  /** Whether etcd names this standby as one that has everything acknowledged: no other may take over. */
  readonly sync_standby?: boolean;
}

/** What Patroni says of its own server, or null if it does not answer. What it says of others may be old. */
async function ask(node: ClusterNode): Promise<Status | null> {
  try {
    const answer = await fetch(`http://${node.address}:8008/health`, {
      signal: AbortSignal.timeout(1_000),
    });
    return answer.status === 200 ? ((await answer.json()) as Status) : null;
  } catch {
    return null;
  }
}

/** The leader and both standbys, which follow it. */
async function untilHealthy(): Promise<void> {
  const limit = performance.now() + HEALTHY_LIMIT;
  let last: readonly (Status | null)[] = [];
  while (performance.now() < limit) {
    last = await Promise.all(nodes.map(ask));
    const timelines = new Set(last.map((status) => status?.timeline));
    const leaders = last.filter((status) => status?.replication !== undefined);
    const standbys = leaders[0]?.replication?.filter(({ state }) => state === 'streaming') ?? [];
    const isSynchronous = last.some((status) => status?.sync_standby === true);
    if (timelines.size === 1 && leaders.length === 1 && standbys.length === 2 && isSynchronous)
      return;
    await sleep(500);
  }
  throw new Error(`The cluster is not healthy again: ${JSON.stringify(last)}. See ${folder}.`);
}

async function readAll() {
  const { address } = await findLeader();
  return readItems(`postgres://seeother:secret@${address}/seeother`);
}

/** The node that holds the lock and says so itself. */
async function findLeader(): Promise<ClusterNode> {
  for (;;) {
    const isLeader = await Promise.all(nodes.map(holdsLock));
    const found = nodes[isLeader.indexOf(true)];
    if (found !== undefined) return found;
    await sleep(200);
  }
}

async function holdsLock({ address }: ClusterNode): Promise<boolean> {
  try {
    const signal = AbortSignal.timeout(1_000);
    return (await fetch(`http://${address}:8008/primary`, { signal })).status === 200;
  } catch {
    return false;
  }
}

/** Saved by another leader: what was under way may still be answered by the former one. */
async function untilSavedAgain(victim: ClusterNode): Promise<void> {
  const others = nodes.filter((node) => node !== victim);
  const limit = performance.now() + WRITTEN_LIMIT;
  const isElsewhere = async () => (await Promise.all(others.map(holdsLock))).includes(true);
  while (!(await isElsewhere()) && performance.now() < limit) await sleep(200);
  for (const before = savedAt; savedAt === before && performance.now() < limit; ) await sleep(50);
}
