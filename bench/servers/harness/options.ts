/** The options of the command, checked before anything starts. */
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { createCreateTask } from '../tasks/create-task.ts';
import { createLoadTask, type Durations } from '../tasks/load-task.ts';
import { createSlowDiskTask } from '../tasks/slow-disk-task.ts';
import { START_TASK } from '../tasks/start-task.ts';
import { WORKS } from '../tasks/works.ts';
import { CONTENDERS, type Contender, ROOT } from './contenders.ts';
import type { Task } from './task.ts';

export interface Options {
  readonly contenders: readonly Contender[];
  readonly tasks: readonly Task[];
  readonly rounds: number;
  readonly durations: Durations;
}

export function readOptions(words: readonly string[]): Options {
  if (!existsSync(join(ROOT, 'bench/node_modules/fastify'))) {
    fail('the contenders are not installed. Run npm ci --prefix bench --workspaces=false.');
  }
  if (process.platform !== 'linux') fail('it reads /proc, which Linux alone has.');
  if (spawnSync('wrk', ['--version']).error !== undefined) fail('there is no wrk. Install it.');
  const { values } = parseArgs({
    args: [...words],
    options: {
      rounds: { type: 'string', default: '3' },
      seconds: { type: 'string', default: '1' },
      'warm-up': { type: 'string', default: '1' },
      only: { type: 'string', default: '' },
      contenders: { type: 'string', default: '' },
      fsync: { type: 'string', default: '' },
    },
  });
  const durations = {
    seconds: toWhole('seconds', values.seconds),
    warmUp: toWhole('warm-up', values['warm-up']),
  };
  const slow = values.fsync.split(',').filter((delay) => delay !== '');
  const tasks = [
    ...WORKS.map((work) => createLoadTask(work, durations)),
    createCreateTask(durations),
    ...slow.map((delay) => createSlowDiskTask(toWhole('fsync', delay), durations)),
    START_TASK,
  ];
  return {
    contenders: choose('contenders', values.contenders, CONTENDERS).filter(
      ({ isExtra }) => !isExtra || values.contenders !== '',
    ),
    tasks: choose('only', values.only, tasks),
    rounds: toWhole('rounds', values.rounds),
    durations,
  };
}

/** Names with commas between; all when nothing is said. */
function choose<T extends { readonly name: string }>(
  option: string,
  asked: string,
  from: readonly T[],
): readonly T[] {
  if (asked === '') return from;
  return asked.split(',').map((name) => {
    const known = from.map((one) => one.name).join(', ');
    return (
      from.find((one) => one.name === name) ?? fail(`--${option}=${name} is none of ${known}.`)
    );
  });
}

function toWhole(option: string, value: string): number {
  if (/^[1-9]\d{0,3}$/.test(value)) return Number(value);
  return fail(`--${option}=${value} must be a whole number from 1.`);
}

function fail(reason: string): never {
  process.stderr.write(`Cannot measure: ${reason}\n`);
  process.exit(1);
}
