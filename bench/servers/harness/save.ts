/**
 * Saves a run: every sample in results.json, the table with machine, date and versions in the README
 * between its marks, and the plot.
 */
import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { toPlot } from '../../plot.ts';
import type { Results } from './results.ts';
import { toTable } from './table.ts';

const FOLDER = join(import.meta.dirname, '..');
const BEGIN = '<!-- results -->\n';
const END = '<!-- end of results -->\n';

export function save(results: Results): void {
  const file = join(FOLDER, 'results.json');
  writeFileSync(
    file,
    JSON.stringify(results, (_, value) => round(value)),
  );
  // In the layout of every other file here.
  execFileSync('biome', ['format', '--write', file], { stdio: 'ignore' });
  writeFileSync(join(FOLDER, 'results.svg'), toPlot(results));
  const readme = join(FOLDER, 'README.md');
  writeFileSync(readme, replaceSection(readFileSync(readme, 'utf8'), toSection(results)));
}

/** What a run took place on, and its table. */
export function toSection(results: Results): string {
  const { machine, system, date, commit, node, generator, rounds, seconds, sync } = results;
  const versions = Object.entries(results.versions)
    .map(([name, version]) => `${name} ${version}`)
    .join(', ');
  return `${machine}; ${system}; Node ${node}; ${generator}; ${date}; commit ${commit}; ${rounds} rounds
of ${seconds} s; a sync of the disk takes ${sync.toFixed(2)} ms. ${versions}.

${toTable(results)}`;
}

/** Throws when the marks are not there: a table must not vanish without a word. */
export function replaceSection(text: string, section: string): string {
  const from = text.indexOf(BEGIN);
  const to = text.indexOf(END);
  if (from === -1 || to < from) {
    throw new Error(`Cannot put the table into the README: ${BEGIN.trim()} is not there.`);
  }
  return `${text.slice(0, from)}${BEGIN}\n${section}\n${text.slice(to)}`;
}

/** Four digits say all that such a measurement knows. */
function round(value: unknown): unknown {
  return typeof value === 'number' ? Number(value.toPrecision(4)) : value;
}
