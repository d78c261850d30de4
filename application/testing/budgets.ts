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

/** A cost may be this share above its budget, and a budget this share above its cost. */
const OVER = 0.1;
const UNUSED = 0.2;
/** Bytes by which two counts of the same small request differ, as V8 has compiled more or less of its code. */
const NOISE = 1_500;

/** A sentence for each count that does not fit its budget, with what to do about it. */
export function listMisfits(name: string, counts: Counts, budget: Counts | undefined): string[] {
  if (budget === undefined) {
    return [`"${name}" has no budget: run "npm run budgets -- --save".`];
  }
  if (counts.status !== budget.status) {
    return [`"${name}" is answered with ${counts.status} instead of ${budget.status}.`];
  }
  return UNITS.flatMap(([count, unit]) => {
    const [cost, limit] = [counts[count], budget[count]];
    const noise = count === 'allocated' ? NOISE : 0;
    const both = `${format(cost)} ${unit}, and its budget is ${format(limit)}`;
    if (cost > limit * (1 + OVER) + noise) {
      return `"${name}" takes ${both}: win the difference back, or run "npm run budgets -- --save" and say in the commit what it buys.`;
    }
    if (limit > cost * (1 + UNUSED) + noise) {
      return `"${name}" takes only ${both}: run "npm run budgets -- --save", so that what was won is not lost unnoticed.`;
    }
    return [];
  });
}

const UNITS = [
  ['allocated', 'bytes of heap'],
  ['promises', 'promises'],
  ['statements', 'statements'],
  ['rows', 'rows'],
  ['sent', 'bytes of answer'],
  ['logged', 'bytes of log'],
] as const;

function format(value: number): string {
  return value.toLocaleString('en-US');
}
