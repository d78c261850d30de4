/**
 * `npm run routes`: lists every route of the application in order, with its chain and source location.
 */
import { relative } from 'node:path';
import { createIdleApplication } from './create-idle-application.ts';
import { ROOT } from './project-files.ts';
import { paint, toColumns } from './table.ts';

const { application } = createIdleApplication();

const nameOf = ({ name }: { readonly name: string }) => name || '(no name)';

const places = toColumns(
  application.routes.map(({ method, pattern, registeredAt }, at) => [
    paint('dim', String(at + 1).padStart(3)),
    method,
    paint('bold', pattern),
    paint('dim', registeredAt === null ? '' : relative(ROOT, registeredAt)),
  ]),
);
const routes = application.routes.flatMap(({ middleware, handler }, at) => [
  places[at],
  `           ${[...middleware, handler].map(nameOf).join(' > ')}`,
]);

const everywhere = application.middleware.map(nameOf).join(' > ');
/** The part of a long line before a separator that fits. */
const LONG = /(?=.{119})(.{1,110}) > /g;

const lines = [
  'Every request runs through',
  `  ${everywhere.replaceAll(LONG, '$1 >\n  ')}`,
  'and then to the first of these routes that matches:',
  '',
  ...routes,
];
process.stdout.write(`${lines.join('\n')}\n`);
