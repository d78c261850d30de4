/** The contenders: how each is started, and which packages it needs. */
import { join } from 'node:path';
import type { Kind } from '../contenders/settings.ts';

export type Name =
  | 'raw'
  | 'seeother'
  | 'source'
  | 'observed'
  | 'fastify'
  | 'hono'
  | 'express'
  | 'empty';

export interface Contender {
  readonly name: Name;
  readonly title: string;
  /** Its own packages; what they need comes along. */
  readonly packages: readonly string[];
  /** Takes part with the application alone. */
  readonly isWhole?: true;
  /** Takes part only if `--contenders` names it. */
  readonly isExtra?: true;
  /** Further variables of its environment. */
  readonly environment?: Readonly<Record<string, string>>;
}

export const ROOT = join(import.meta.dirname, '../../..');

export const CONTENDERS: readonly Contender[] = [
  { name: 'raw', title: 'node:http', packages: [] },
  // Installed with the application, whose database it brings.
  { name: 'seeother', title: 'Seeother', packages: [] },
  { name: 'source', title: 'Seeother, npm start', packages: [], isWhole: true, isExtra: true },
  {
    name: 'observed',
    title: 'Seeother, observed',
    packages: [],
    isExtra: true,
    environment: { OBSERVE: '1', METRICS_PORT: '9464' },
  },
  {
    name: 'fastify',
    title: 'Fastify',
    packages: [
      'fastify',
      '@fastify/cookie',
      '@fastify/etag',
      '@fastify/formbody',
      '@fastify/helmet',
      '@fastify/session',
      '@fastify/static',
      '@fastify/view',
      'eta',
    ],
  },
  { name: 'hono', title: 'Hono', packages: ['hono', '@hono/node-server'] },
  {
    name: 'express',
    title: 'Express',
    packages: ['express', 'ejs', 'express-session', 'helmet', 'morgan'],
  },
];

/** The application as it is deployed. */
export const BUNDLE = join(ROOT, 'dist/application');

/** The script, and what it is told. Seeother's `items` is the real application. */
export function commandOf(name: Name, kind: Kind): readonly string[] {
  const isSeeother = name === 'seeother' || name === 'observed';
  if (isSeeother && kind === 'items') return [join(BUNDLE, 'main.js')];
  if (name === 'source') {
    return ['--require', join(ROOT, 'scripts/require-node.cjs'), join(ROOT, 'application/main.ts')];
  }
  return [join(ROOT, `bench/servers/contenders/${isSeeother ? 'seeother' : name}.ts`), kind];
}
