/**
 * What the hostile tests share: the application as a process with somebody logged in, requests sent
 * byte for byte, and everything that the database holds, to see that nothing has changed.
 */
import {
  encodeFields,
  exchange,
  type RawAnswer,
  readAnswers,
  type Visitor,
} from 'seeother/testing';
import type { Environment } from '../process/config.ts';
import { PASSWORD } from '../testing/create-test-application.ts';
import { type RunningApplication, startApplication } from '../testing/start-application.ts';

export interface Site extends RunningApplication {
  /** The Cookie header of somebody who is logged in. */
  readonly cookie: string;
}

/** A process on plain http, without sample items, whose first account is logged in. */
export async function startSite(environment: Environment = {}): Promise<Site> {
  const site = await startApplication({ SAMPLE_ITEMS: '0', ...environment });
  const origin = environment['PUBLIC_ORIGIN'] ?? site.url;
  const from = { Host: new URL(origin).host, Origin: origin };
  const answer = await send(site.url, '/register', { username: 'ada', password: PASSWORD }, from);
  const lines = answer.headers.map(([, value]) => value);
  const line = lines.find((one) => /^(?:__Host-)?sid=/.test(one)) ?? '';
  return { ...site, cookie: line.slice(0, line.indexOf(';')) };
}

export const FORM = 'application/x-www-form-urlencoded';

/** A list of values is as many header lines. */
export type RawHeaders = Readonly<Record<string, string | readonly string[]>>;

/** Sends one request, its target and headers to the letter, over a connection of its own. */
export async function ask(
  url: string,
  target: string,
  headers: RawHeaders = {},
  method = 'GET',
  body = '',
): Promise<RawAnswer> {
  const lines = Object.entries({ Host: new URL(url).host, Connection: 'close', ...headers })
    .flatMap(([name, value]) => [value].flat().map((one) => `${name}: ${one}\r\n`))
    .join('');
  const received = await exchange(url, `${method} ${target} HTTP/1.1\r\n${lines}\r\n${body}`);
  const [answer] = readAnswers(received, [method]);
  if (answer === undefined) throw new Error(`No answer came to ${method} ${target}.`);
  return answer;
}

/** Sends a form as a program does: without a word of where it comes from, unless the headers say so. */
export function send(
  url: string,
  target: string,
  fields: Readonly<Record<string, string>> | string,
  headers: RawHeaders = {},
): Promise<RawAnswer> {
  const body = typeof fields === 'string' ? fields : encodeFields(fields);
  const length = { 'Content-Type': FORM, 'Content-Length': String(body.length) };
  return ask(url, target, { ...length, ...headers }, 'POST', body);
}

export { dumpDatabase } from '../testing/dump-database.ts';

/** A path that the pattern takes: item 1, where it names a number. Throws for a part that is not known. */
export function pathOf(pattern: string): string {
  const path = pattern.replaceAll(':number(\\d+)', '1');
  if (/[:(){}*?+]/.test(path)) throw new Error(`Say here what a path of ${pattern} is.`);
  return path;
}

/** How many looks decide that something costs too much: a machine with other work shows it in one or two. */
const LOOKS = 4;

/**
 * How many times the CPU time of one work another one takes: the first look that is below the limit,
 * or else the lowest. Below `least` milliseconds, what is measured is the rest.
 */
export async function costRatio(
  limit: number,
  least: number,
  one: () => unknown,
  other: () => unknown,
): Promise<number> {
  let lowest = Number.POSITIVE_INFINITY;
  for (let look = 0; look < LOOKS && lowest >= limit; look++) {
    const base = Math.max(await leastCost(20, one), least);
    lowest = Math.min(lowest, (await leastCost(5, other)) / base);
  }
  return lowest;
}

/** The least CPU time of some runs, in milliseconds. */
async function leastCost(runs: number, work: () => unknown): Promise<number> {
  let best = Number.POSITIVE_INFINITY;
  for (let run = 0; run < runs; run++) {
    const start = process.cpuUsage();
    await work();
    const { user, system } = process.cpuUsage(start);
    best = Math.min(best, (user + system) / 1_000);
  }
  return best;
}

const ESCAPES = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' } as const;

/** As a page must hold it; written down here again, so that it is not checked against itself. */
export function escapeMarkup(text: string): string {
  return text.replaceAll(/[&<>"']/g, (one) => ESCAPES[one as keyof typeof ESCAPES]);
}

/** Follows every link from these paths on, as somebody who reads the whole site; every path that was read. */
export async function crawl(visitor: Visitor, starts: readonly string[]): Promise<Set<string>> {
  const seen = new Set<string>();
  const kinds = new Set<string>();
  const left = [...starts];
  for (let path = left.pop(); path !== undefined; path = left.pop()) {
    // Lists narrow each other down without end: one stands for all with other values in the query.
    const kind = path.replaceAll(/=[^&]*/g, '');
    if (kinds.has(kind)) continue;
    kinds.add(kind);
    seen.add(path);
    const { headers, body } = await visitor.get(path);
    const links = typeof body === 'string' ? body.matchAll(/ href="(\/[^"#]*)"/g) : [];
    left.push(...[...links].map(([, link = '']) => link.replaceAll('&amp;', '&')));
    if (typeof headers['Location'] === 'string') left.push(headers['Location']);
  }
  return seen;
}
