/**
 * `npm run routes`: lists every route of the application in order, with its chain and source location.
 */
import { relative } from 'node:path';
import { createIdleApplication } from './create-idle-application.ts';
import { ROOT } from './project-files.ts';
import { paint, toColumns, widthOf } from './table.ts';

const { application } = createIdleApplication();

const nameOf = ({ name }: { readonly name: string }) => name || '(no name)';

const rows = application.routes.map(
  ({ method, pattern, middleware, handler, registeredAt }, at) => ({
    route: [paint('dim', String(at + 1).padStart(3)), method, paint('bold', pattern)],
    chain: [...middleware, handler].map(nameOf).join(' > '),
    place: paint('dim', registeredAt === null ? '' : relative(ROOT, registeredAt)),
  }),
);

const wide = toColumns(rows.map(({ route, chain, place }) => [...route, chain, place]));
const isTooWide = wide.some((line) => widthOf(line) > (process.stdout.columns ?? 120));
const narrow = toColumns(rows.map(({ route, place }) => [...route, place]));

const everywhere = application.middleware.map(nameOf).join(' > ');
/** The part of a long line before a separator that fits. */
const LONG = /(?=.{119})(.{1,110}) > /g;

const lines = [
  'Every request runs through',
  `  ${everywhere.replaceAll(LONG, '$1 >\n  ')}`,
  'and then to the first of these routes that matches:',
  '',
  ...(isTooWide ? narrow.flatMap((line, at) => [line, `           ${rows[at]?.chain}`]) : wide),
];
process.stdout.write(`${lines.join('\n')}\n`);
