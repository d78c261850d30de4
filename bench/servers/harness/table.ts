/** The one table, in Markdown: a row for each kind of work, a column for each contender. */
import { CONTENDERS } from './contenders.ts';
import { medianOf, type Results, type WorkResult } from './results.ts';

export function toTable({ works }: Results): string {
  const taking = CONTENDERS.filter(({ name }) => works.some(({ contenders }) => contenders[name]));
  const head = ['work', 'unit', ...taking.map(({ title }) => title)];
  const rows = works.flatMap((work) => [
    [work.title, 'CPU', ...taking.map(({ name }) => cpuCell(work, name))],
    ['', 'requests/s', ...taking.map(({ name }) => throughputCell(work, name))],
  ]);
  const alignment = head.map((_, at) => (at < 2 ? '---' : '--:'));
  return [head, alignment, ...rows].map((cells) => `| ${cells.join(' | ')} |\n`).join('');
}

type Taking = (typeof CONTENDERS)[number]['name'];

/** The ratio to the yardstick; with microseconds where it is the yardstick itself. */
function cpuCell({ yardstick, contenders }: WorkResult, name: Taking): string {
  const samples = contenders[name];
  if (samples === undefined) return '';
  const cpu = medianOf(samples, 'cpu');
  const ratio = (cpu / medianOf(yardstick, 'cpu')).toFixed(2);
  return name === 'raw' ? `${ratio} (${cpu.toFixed(1)} µs)` : ratio;
}

function throughputCell({ contenders }: WorkResult, name: Taking): string {
  const samples = contenders[name];
  if (samples === undefined) return '';
  return Math.round(medianOf(samples, 'throughput')).toLocaleString('en-US');
}
