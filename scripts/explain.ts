/**
 * `npm run explain -- POST /items`: which route answers a request, why the others do not match, and the
 * chain that runs. Exits with 1 if no route matches, and with 2 for wrong arguments.
 */
import { relative } from 'node:path';
import { explain } from 'seeother';
import { ROOT } from './project-files.ts';
import { paint, toColumns } from './table.ts';

type Explanation = ReturnType<typeof explain>;

const USAGE = `Usage: npm run explain -- <method> <path>
  npm run explain -- POST /items
  npm run explain -- '/items/7?from=list'    (GET when no method is given)
`;

const [first = '', second] = process.argv.slice(2);
const [method, path] = second === undefined ? ['GET', first] : [first.toUpperCase(), second];

if (process.argv.length > 4 || !path.startsWith('/')) {
  process.stderr.write(USAGE);
  process.exitCode = 2;
} else {
  const { createIdleApplication } = await import('./create-idle-application.ts');
  const { application, files } = createIdleApplication();
  const explanation = explain(application, method, path);
  const isFile = /^(GET|HEAD)$/.test(method) && files.has(explanation.path);
  process.exitCode = explanation.winner === null && !isFile ? 1 : 0;
  const lines = [
    ...toColumns(routeRows(explanation)),
    '',
    verdict(explanation, isFile),
    '',
    ...toColumns(chainRows(explanation)),
  ];
  process.stdout.write(`${lines.join('\n')}\n`);
}

function routeRows({ routes, winner }: Explanation): readonly (readonly string[])[] {
  return routes.map(({ method, pattern, params, reason }, at) => {
    const place = String(at + 1).padStart(3);
    if (params === null)
      return [place, method, pattern, reason ?? ''].map((one) => paint('dim', one));
    const values = Object.entries(params).map(([name, value]) =>
      value === undefined ? `${name} left out` : `${name} = ${JSON.stringify(value)}`,
    );
    const outcome =
      at === winner ? paint('green', 'answers') : `matches too, after ${(winner ?? 0) + 1}`;
    return [place, method, paint('bold', pattern), [outcome, ...values].join(', ')];
  });
}

function verdict(
  { method, path, malformed, routes, winner }: Explanation,
  isFile: boolean,
): string {
  const request = `${method} ${JSON.stringify(path)}`;
  if (malformed !== null) return paint('red', `${request} is a 400: ${malformed}`);
  if (isFile) return `${request} is a file: serveFiles answers before any route.`;
  const route = winner === null ? undefined : routes[winner];
  if (route === undefined || winner === null)
    return `${paint('red', `${request} is a 404: no route matches.`)} The global chain runs all the same.`;
  const place =
    route.registeredAt === null ? '' : `, registered at ${relative(ROOT, route.registeredAt)}`;
  return `${request} is answered by route ${winner + 1}, ${route.method} ${route.pattern}${place}.`;
}

function chainRows({ chain }: Explanation): readonly (readonly string[])[] {
  const header = ['    ', 'name', 'of', 'needs', 'adds'].map((one) => paint('dim', one));
  return [header, ...chain.map(toChainRow)];
}

function toChainRow(
  { name, of, needs, adds }: Explanation['chain'][number],
  at: number,
): readonly string[] {
  const place = String(at + 1).padStart(3);
  const list = (names: readonly string[] | null) =>
    names === null ? paint('dim', 'see its type') : names.join(', ') || '-';
  const rest = of === 'handler' ? [] : [list(needs), list(adds)];
  return [place, name || '(no name)', of, ...rest];
}
