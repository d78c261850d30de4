/** Measures contestants by turns, so that other load of the machine affects all of them alike. */
import { format } from './markdown-table.ts';
import { median } from './servers/harness/statistics.ts';

/** What it answers at once is not awaited. */
export type Run = () => unknown;

/** Microseconds of CPU that one run of each takes: the median of the rounds, after one that warms up. */
export async function measureInTurn(
  contestants: Readonly<Record<string, Run>>,
  { rounds, runs }: { readonly rounds: number; readonly runs: number },
): Promise<readonly (readonly [name: string, time: number])[]> {
  const all = Object.entries(contestants).map(([name, run]) => ({
    name,
    run,
    times: [] as number[],
  }));
  for (let round = 0; round <= rounds; round++)
    for (const { run, times } of all) {
      const time = await measure(run, runs);
      if (round > 0) times.push(time);
    }
  return all.map(({ name, times }) => [name, median(times)]);
}

async function measure(run: Run, runs: number): Promise<number> {
  const start = process.cpuUsage();
  for (let count = 0; count < runs; count++) {
    const answer = run();
    if (answer instanceof Promise) await answer;
  }
  const { user, system } = process.cpuUsage(start);
  return (user + system) / runs;
}

/** Rows with the ratio to the contestant that is named. */
export function withRatios(
  times: Awaited<ReturnType<typeof measureInTurn>>,
  base: string,
  digits: number,
): readonly (readonly string[])[] {
  const one = times.find(([name]) => name === base)?.[1] ?? Number.NaN;
  return times.map(([name, time]) => [name, format(time, digits), (time / one).toFixed(2)]);
}
