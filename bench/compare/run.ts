/**
 * `npm run compare -- <commit>`: what a request costs in the present work tree, next to that commit. See the README.
 */
import '../../scripts/require-node.cjs';
import { spawnSync } from 'node:child_process';
import { parseArgs } from 'node:util';
import { checkOutCommit, checkOutWorkTree } from './checkout.ts';
import { KINDS } from './kinds.ts';
import { measureKinds, measureStarts } from './measure.ts';
import { toTables } from './tables.ts';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { source: { type: 'boolean', default: false }, only: { type: 'string', default: '' } },
});
const [commit] = positionals;
const chosen = values.only === '' ? null : values.only.split(',');
const unknown = chosen?.find(
  (part) => !['start', ...KINDS.map(({ name }) => name)].some((name) => name.startsWith(part)),
);
if (commit === undefined || positionals.length > 1)
  fail('name one commit: npm run compare -- <commit>.');
if (unknown !== undefined) {
  fail(`--only=${unknown} is none of ${KINDS.map(({ name }) => name).join('; ')}; start.`);
}
const kinds = KINDS.filter(({ name }) => chosen?.some((part) => name.startsWith(part)) ?? true);

const started = performance.now();
const checkouts = [checkOutCommit(commit), checkOutWorkTree()] as const;
// From here on, this process is the client. What it starts is pinned to another core.
spawnSync('taskset', ['--all-tasks', '--cpu-list', '--pid', '1', String(process.pid)]);
const sides = checkouts.map((checkout) => ({ ...checkout, isBundle: !values.source }));
const { results, memory } = await measureKinds(sides, kinds);
const starts = (chosen?.includes('start') ?? true) ? await measureStarts(sides) : [];
process.stdout.write(toTables(sides, results, [...starts, ...memory]));
process.stderr.write(`Took ${Math.round((performance.now() - started) / 1_000)} s.\n`);

function fail(reason: string): never {
  process.stderr.write(`Cannot compare: ${reason}\n`);
  process.exit(1);
}
