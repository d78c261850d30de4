/** The result table in Markdown: the rows of each task, a column per contender. */
import { CONTENDERS, type Name } from './contenders.ts';
import { medianOf, type Results, type TaskResult } from './results.ts';
import { FIGURES, type FigureName } from './task.ts';

export function toTable({ tasks }: Pick<Results, 'tasks'>): string {
  const taking = CONTENDERS.filter(({ name }) => tasks.some((task) => task.contenders[name]));
  const head = ['', '', ...taking.map(({ title }) => title)];
  const alignment = head.map((_, at) => (at < 2 ? '---' : '--:'));
  const rows = tasks.flatMap((task) =>
    task.figures.map((figure, at) => [
      at === 0 ? task.title : '',
      isRatio(task, figure) ? 'CPU, ratio' : FIGURES[figure].label,
      ...taking.map(({ name }) => cell(task, figure, name)),
    ]),
  );
  return [head, alignment, ...rows].map((cells) => `| ${cells.join(' | ')} |\n`).join('');
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

function format(value: number, digits: number): string {
  return value.toLocaleString('en-US', {
    minimumFractionDigits: digits,
    maximumFractionDigits: digits,
  });
}
