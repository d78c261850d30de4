/**
 * `npm run budgets`: what each request with a budget takes. Exits with 1 if one does not fit its budget. With
 * `-- --save`, what it takes becomes the budget; say in the commit why.
 *
 * `npm test` runs it as a process of its own: node:test follows every promise of a test, which makes each larger.
 */
import { listMisfits, readBudgets, saveBudgets } from '../application/testing/budgets.ts';
import { type Counts, countRequests } from '../application/testing/count-requests.ts';

const isSaved = process.argv.includes('--save');
const budgets = readBudgets();
const misfits = (name: string, counts: Counts) => listMisfits(name, counts, budgets[name]);
// The last counts of a request are the most exact.
const all = await countRequests((...one) => !isSaved && misfits(...one).length === 0);
for (const [name, counts] of Object.entries(all)) {
  const cells = Object.entries(counts).map(([count, value]) => `${count} ${value}`);
  process.stdout.write(`${name}: ${cells.join(', ')}\n`);
}
if (isSaved) saveBudgets(all);
else {
  const lines = Object.entries(all).flatMap((one) => misfits(...one));
  process.stderr.write(lines.map((line) => `${line}\n`).join(''));
  process.exitCode = lines.length === 0 ? 0 : 1;
}
