/**
 * Draws the results of whole servers as an SVG: a panel for each kind of work, a bar for each
 * contender; the colours follow the reader's theme. `npm run servers -- --save` does it, and so does
 * `node bench/plot.ts results.json plot.svg` for a run that was kept.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { CONTENDERS } from './servers/harness/contenders.ts';
import { medianOf, type Results, type TaskResult } from './servers/harness/results.ts';
import { FIGURES, type FigureName } from './servers/harness/task.ts';

/** What stands in a panel, in few words: the first figure of each of these tasks. */
const PANELS: Readonly<Record<string, string>> = {
  route: 'one route with a parameter',
  guarded: 'the same with log, headers and checks',
  list: 'a list from SQLite, logged in',
  'list-anew': 'a list that nobody has kept',
  'list-304': 'the list, not modified',
  styles: 'a style sheet',
  create: 'a form stored for good',
  start: 'start',
};
const UNITS: Readonly<Partial<Record<FigureName, string>>> = {
  cpu: 'µs of CPU a request',
  creates: 'creates a second: more is better',
  start: 'ms from start to first answer',
};

const WIDTH = 860;
const COLUMNS = 2;
const GAP = 24;
const TOP = 44;
const LINE = 20;
const LABEL = 78;
const VALUE = 64;
const PANEL_WIDTH = (WIDTH - GAP * (COLUMNS + 1)) / COLUMNS;

const STYLE = `
  text { font: 12px system-ui, sans-serif; fill: #1f2328 }
  .title { font-weight: 600; font-size: 13px }
  .unit { fill: #59636e; font-size: 11px }
  .value { text-anchor: start }
  .bar { fill: #a8b3bf }
  .ours { fill: #0b7a4b }
  .page { fill: #ffffff }
  @media (prefers-color-scheme: dark) {
    text { fill: #e6edf3 }
    .unit { fill: #9198a1 }
    .bar { fill: #59636e }
    .ours { fill: #3fb27f }
    .page { fill: #0d1117 }
  }`;

if (import.meta.main) {
  const [from = '', to = ''] = process.argv.slice(2);
  writeFileSync(to, toPlot(JSON.parse(readFileSync(from, 'utf8')) as Results));
}

export function toPlot({ tasks, ...run }: Results): string {
  const panels = tasks.filter(({ name }) => name in PANELS).map(toPanel);
  const rows = Array.from({ length: Math.ceil(panels.length / COLUMNS) }, (_, at) =>
    panels.slice(at * COLUMNS, (at + 1) * COLUMNS),
  );
  let top = GAP;
  const parts: string[] = [];
  for (const row of rows) {
    row.forEach((panel, column) => {
      const left = GAP + column * (PANEL_WIDTH + GAP);
      parts.push(`<g transform="translate(${left} ${top})">${panel.content}</g>`);
    });
    top += Math.max(...row.map(({ height }) => height)) + GAP;
  }
  const note = `${run.machine}; Node ${run.node}; ${run.date}; commit ${run.commit}; median of ${run.rounds} rounds`;
  parts.push(`<text class="unit" x="${GAP}" y="${top}">${escapeText(note)}</text>`);
  const height = top + GAP;
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${WIDTH}" height="${height}" viewBox="0 0 ${WIDTH} ${height}" role="img" aria-label="CPU time of a request, by framework">
<style>${STYLE}
</style>
<rect class="page" width="${WIDTH}" height="${height}"/>
${parts.join('\n')}
</svg>
`;
}

interface Panel {
  readonly content: string;
  readonly height: number;
}

/** The best on top, whichever way is better. */
function toPanel(task: TaskResult): Panel {
  const [figure = 'cpu'] = task.figures;
  const sign = figure === 'creates' ? -1 : 1;
  const bars = CONTENDERS.map(({ name, title }) => ({
    name,
    title,
    value: medianOf(task.contenders[name], figure),
  }))
    .filter(({ value }) => !Number.isNaN(value))
    .sort((a, b) => sign * (a.value - b.value));
  const longest = Math.max(...bars.map(({ value }) => value));
  const lines = bars.map(({ name, title, value }, at) => {
    const y = TOP + at * LINE;
    const width = (value / longest) * (PANEL_WIDTH - LABEL - VALUE);
    const plain = value.toLocaleString('en-US', {
      maximumFractionDigits: FIGURES[figure].digits,
      minimumFractionDigits: FIGURES[figure].digits,
    });
    return `<text x="0" y="${y + 12}">${escapeText(title)}</text><rect class="bar${name === 'seeother' ? ' ours' : ''}" x="${LABEL}" y="${y + 2}" width="${width.toFixed(1)}" height="13"/><text class="value" x="${(LABEL + width + 6).toFixed(1)}" y="${y + 12}">${plain}</text>`;
  });
  const head = `<text class="title" x="0" y="12">${escapeText(PANELS[task.name] ?? '')}</text><text class="unit" x="0" y="29">${UNITS[figure] ?? ''}</text>`;
  return { content: head + lines.join(''), height: TOP + bars.length * LINE };
}

function escapeText(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
}
