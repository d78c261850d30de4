/**
 * `npm run servers`: starts every contender in turn, measures every kind of work, and prints one
 * table. Nothing is decided by one round: contenders take turns, each time in a new process.
 */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { CONTENDERS, type Name } from './harness/contenders.ts';
import { type Durations, measure, type Sample } from './harness/measure.ts';
import { describeRun, medianOf, type Results, type WorkResult } from './harness/results.ts';
import { toTable } from './harness/table.ts';
import { prepareThings, removeThings, startFresh } from './harness/things.ts';
import type { Answer } from './harness/visit.ts';
import { WORKS, type Work } from './harness/works.ts';

const { values } = parseArgs({
  options: {
    rounds: { type: 'string', default: '3' },
    seconds: { type: 'string', default: '2' },
    'warm-up': { type: 'string', default: '1' },
    /** Names of works, with commas between. */
    only: { type: 'string', default: '' },
    contenders: { type: 'string', default: '' },
    /** Keeps every sample in results.json, for the plot and for whoever doubts the table. */
    save: { type: 'boolean', default: false },
  },
});
const rounds = Number(values.rounds);
const durations: Durations = { seconds: Number(values.seconds), warmUp: Number(values['warm-up']) };
const works = choose('only', values.only, WORKS);
const contenders = choose('contenders', values.contenders, CONTENDERS);

await prepareThings();
const results: WorkResult[] = [];
for (const work of works) results.push(await measureWork(work));
removeThings();
const all: Results = { ...describeRun(rounds, durations.seconds), works: results };
if (values.save) {
  writeFileSync(join(import.meta.dirname, 'results.json'), `${JSON.stringify(all, null, 2)}\n`);
}
process.stdout.write(toTable(all));

async function measureWork(work: Work): Promise<WorkResult> {
  const { name, title, yardstick } = work;
  const reference: Sample[] = [];
  const samples: Partial<Record<Name, Sample[]>> = {};
  for (let round = 0; round < rounds; round++) {
    const first = await measureOne(work, yardstick.name, yardstick.kind, null);
    reference.push(first.sample);
    const isYardstick = (one: Name) => one === yardstick.name && work.kind === yardstick.kind;
    for (const { name: one } of rotate(contenders, round)) {
      const { sample } = isYardstick(one)
        ? first
        : await measureOne(work, one, work.kind, first.answer);
      samples[one] = [...(samples[one] ?? []), sample];
    }
  }
  const lines = Object.entries(samples).map(
    ([one, list]) => `${one} ${(medianOf(list, 'cpu') / medianOf(reference, 'cpu')).toFixed(2)}`,
  );
  process.stderr.write(`${name}: ${lines.join(', ')}\n`);
  return { name, title, yardstick: reference, contenders: samples };
}

async function measureOne(work: Work, name: Name, kind: Work['kind'], reference: Answer | null) {
  const server = await startFresh(name, kind, work.environment);
  try {
    return await measure(work, server, durations, reference);
  } catch (error) {
    throw new Error(`Cannot measure ${name} at ${work.name}.`, { cause: error });
  } finally {
    await server.stop();
  }
}

/** Who goes first has a colder machine: everybody has a turn at it. */
function rotate<T>(list: readonly T[], by: number): readonly T[] {
  const at = by % list.length;
  return [...list.slice(at), ...list.slice(0, at)];
}

function choose<T extends { readonly name: string }>(
  option: string,
  asked: string,
  from: readonly T[],
): readonly T[] {
  if (asked === '') return from;
  return asked.split(',').map((name) => {
    const found = from.find((one) => one.name === name);
    if (found !== undefined) return found;
    const known = from.map((one) => one.name).join(', ');
    throw new Error(`Cannot run with --${option}=${asked}: there is ${known}.`);
  });
}
