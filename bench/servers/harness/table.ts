/** The results of the tasks as a table in Markdown: the rows of each task, a column per contender. */
import { format, toTable } from '../../markdown-table.ts';
import { CONTENDERS, type Name } from './contenders.ts';
import { median } from './statistics.ts';
import { FIGURES, type FigureName, type Sample, type Task } from './task.ts';

export interface TaskResult extends Pick<Task, 'name' | 'title' | 'figures'> {
  /** One sample a round; null when there is none. */
  readonly yardstick: readonly Sample[] | null;
  readonly contenders: Readonly<Partial<Record<Name, readonly Sample[]>>>;
}

export function tableOf(tasks: readonly TaskResult[]): string {
  const taking = CONTENDERS.filter(({ name }) => tasks.some((task) => task.contenders[name]));
  const rows = tasks.flatMap((task) =>
    task.figures.map((figure, at) => [
      at === 0 ? task.title : '',
      isRatio(task, figure) ? 'CPU, ratio' : FIGURES[figure].label,
      ...taking.map(({ name }) => cell(task, figure, name)),
    ]),
  );
  return toTable(['', '', ...taking.map(({ title }) => title)], rows, 2);
}

/** NaN if no contender has this figure. */
export function medianOf(samples: readonly Sample[] | null | undefined, figure: FigureName) {
  const values = (samples ?? []).map((sample) => sample[figure]);
  return median(values.filter((value) => value !== undefined));
}

/**
 * CPU time is told as a ratio to the yardstick, and beside it in microseconds where that is node:http.
 */
function cell(task: TaskResult, figure: FigureName, name: Name): string {
  const value = medianOf(task.contenders[name], figure);
  if (Number.isNaN(value)) return '–';
  const plain = format(value, FIGURES[figure].digits);
  if (!isRatio(task, figure)) return plain;
  const ratio = (value / medianOf(task.yardstick, 'cpu')).toFixed(2);
  return name === 'raw' ? `${ratio} (${plain} µs)` : ratio;
}

function isRatio({ yardstick }: TaskResult, figure: FigureName): boolean {
  return figure === 'cpu' && yardstick !== null;
}
