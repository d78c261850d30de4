/**
 * `npm run budgets`: what each request with a budget takes. Exits with 1 if one does not fit its budget. With
 * `-- --save`, what it takes becomes the budget; say in the commit why.
 *
 * `npm test` runs it as a process of its own: node:test follows every promise of a test, which makes each larger.
 */
import { setFlagsFromString } from 'node:v8';
import { listMisfits, readBudgets, saveBudgets } from '../application/testing/budgets.ts';
import { countRequests } from '../application/testing/count-requests.ts';

// Then a request allocates the same bytes each time, on a busy machine too: compiled code leaves some objects out, and
// V8 compiles in the background.
for (const flag of ['opt', 'maglev', 'sparkplug', 'lazy-feedback-allocation', 'flush-bytecode'])
  setFlagsFromString(`--no-${flag}`);

const budgets = readBudgets();
const all = await countRequests();
for (const [name, counts] of Object.entries(all)) {
  const cells = Object.entries(counts).map(([count, value]) => `${count} ${value}`);
  process.stdout.write(`${name}: ${cells.join(', ')}\n`);
}
if (process.argv.includes('--save')) saveBudgets(all);
else {
  const lines = Object.entries(all).flatMap(([name, counts]) =>
    listMisfits(name, counts, budgets[name]),
  );
  process.stderr.write(lines.map((line) => `${line}\n`).join(''));
  process.exitCode = lines.length === 0 ? 0 : 1;
}
