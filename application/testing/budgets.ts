/** The budgets of requests, in `application/budgets.json`, one line a request. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Counts } from './count-requests.ts';

type Budgets = Readonly<Record<string, Counts>>;

const FILE = join(import.meta.dirname, '../budgets.json');

export function readBudgets(): Budgets {
  return JSON.parse(readFileSync(FILE, 'utf8'));
}

export function saveBudgets(budgets: Budgets): void {
  const lines = Object.entries(budgets).map(
    ([name, counts]) => `  ${JSON.stringify(name)}: ${toLine(counts)}`,
  );
  writeFileSync(FILE, `{\n${lines.join(',\n')}\n}\n`);
}

/** In the layout of every other file here. */
function toLine(counts: Counts): string {
  const cells = Object.entries(counts).map(([name, value]) => `"${name}": ${value}`);
  return `{ ${cells.join(', ')} }`;
}

/** A budget may be this share above its cost. */
const UNUSED = 0.2;

/** A sentence for each count that does not fit its budget, with what to do about it. */
export function listMisfits(name: string, counts: Counts, budget: Counts | undefined): string[] {
  if (budget === undefined) {
    return [`"${name}" has no budget: run "npm run budgets -- --save".`];
  }
  if (counts.status !== budget.status) {
    return [`"${name}" is answered with ${counts.status} instead of ${budget.status}.`];
  }
  return UNITS.flatMap(([count, unit, { share, noise }]) => {
    const [cost, limit] = [counts[count], budget[count]];
    const both = `${format(cost)} ${unit}, and its budget is ${format(limit)}`;
    if (cost > limit * (1 + share) + noise) {
      return `"${name}" takes ${both}: win the difference back, or run "npm run budgets -- --save" and say in the commit what it buys.`;
    }
    if (limit > cost * (1 + UNUSED) + noise) {
      return `"${name}" takes only ${both}: run "npm run budgets -- --save", so that what was won is not lost unnoticed.`;
    }
    return [];
  });
}

/** What a cost may be above its budget. The work of a request is the same each time, so a little more is a change. */
const WORK = { share: 0.01, noise: 0 };
const TEXT = { share: 0.1, noise: 0 };
const UNITS = [
  // A body of 100 KB arrives in pieces of other sizes at times.
  ['allocated', 'bytes of heap', { share: 0.02, noise: 50 }],
  ['promises', 'promises', { ...WORK, noise: 1 }],
  ['statements', 'statements', WORK],
  ['rows', 'rows', WORK],
  ['sent', 'bytes of answer', TEXT],
  ['logged', 'bytes of log', TEXT],
] as const;

function format(value: number): string {
  return value.toLocaleString('en-US');
}
