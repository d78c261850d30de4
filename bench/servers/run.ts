/**
 * `npm run servers`: every contender in turn does every task, and one table comes out. Nothing is
 * decided by one round: contenders take turns, each time in a new process.
 */
import '../../scripts/require-node.cjs';
import { AssertionError } from 'node:assert';
import type { Name } from './harness/contenders.ts';
import { describeRun } from './harness/describe-run.ts';
import { readOptions } from './harness/options.ts';
import { medianOf, type TaskResult, tableOf } from './harness/table.ts';
import type { Sample, Subject, Task } from './harness/task.ts';
import { prepareThings } from './harness/things.ts';

const { contenders, rounds, durations, tasks } = readOptions(process.argv.slice(2));

await prepareThings();
const started = performance.now();
const circumstances = describeRun(rounds, durations.seconds);
const done: TaskResult[] = [];
for (const task of tasks) done.push(await runTask(task));
process.stdout.write(`${circumstances}\n\n${tableOf(done)}`);
process.stderr.write(`Took ${Math.round((performance.now() - started) / 1_000)} s.\n`);

async function runTask(task: Task): Promise<TaskResult> {
  const { name, title, kind, figures, yardstick } = task;
  const reference: Sample[] = [];
  const samples: Partial<Record<Name, readonly Sample[]>> = {};
  for (let round = 0; round < rounds; round++) {
    const first = yardstick && (await measureOne(task, yardstick));
    if (first !== null) reference.push(first);
    for (const { name: one, isWhole } of rotate(contenders, round)) {
      if (isWhole && kind !== 'items') continue;
      const isYardstick = one === yardstick?.name && kind === yardstick.kind;
      const sample = isYardstick ? first : await measureOne(task, { name: one, kind });
      if (sample !== null) samples[one] = [...(samples[one] ?? []), sample];
    }
  }
  const [figure = 'cpu'] = figures;
  const said = Object.entries(samples).map(
    ([one, list]) => `${one} ${medianOf(list, figure).toFixed(1)}`,
  );
  process.stderr.write(`${name}: ${figure} ${said.join(', ')}\n`);
  return { name, title, figures, yardstick: yardstick && reference, contenders: samples };
}

/**
 * Tried once more when the load came to nothing, on a machine that stood still. A wrong answer
 * stays wrong.
 */
async function measureOne(task: Task, subject: Subject): Promise<Sample | null> {
  try {
    return await task.measure(subject).catch((error: unknown) => {
      if (error instanceof AssertionError) throw error;
      process.stderr.write(`${subject.name} at ${task.name}, once more: ${error}\n`);
      return task.measure(subject);
    });
  } catch (error) {
    throw new Error(`Cannot measure ${subject.name} at ${task.name}.`, { cause: error });
  }
}

/** Who goes first has a colder machine: everybody has a turn at it. */
function rotate<T>(list: readonly T[], by: number): readonly T[] {
  const at = by % list.length;
  return [...list.slice(at), ...list.slice(0, at)];
}
