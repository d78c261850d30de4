/** The memory that pipelined requests take, measured in a process of its own. */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { connect } from 'node:net';
import test, { type TestContext } from 'node:test';

const MODULE = JSON.stringify(new URL('./node-server.ts', import.meta.url).href);
/** Never answers on /held. `/peak` is the largest memory of the process so far, in MB. */
const SCRIPT = `
import { serve } from ${MODULE};
const peak = () => String(Math.round(process.resourceUsage().maxRSS / 1024));
const handle = ({ path }) => path === '/held'
  ? new Promise(() => {})
  : { status: 200, headers: {}, body: path === '/peak' ? peak() : 'hello' };
const { url } = await serve({ handle }, { host: '127.0.0.1', port: 0 });
console.log(url);`;
/** MB. The process takes 70 without an attack, and up to 250 with one of these. */
const MOST = 400;

const HOST = 'Host: 127.0.0.1\r\n';
const get = (path: string, headers = '') => `GET ${path} HTTP/1.1\r\n${HOST}${headers}\r\n`;

/** The connections, and what each sends at once: without the defence, they take 750 MB or more. */
const FLOODS: readonly (readonly [name: string, connections: number, sent: string])[] = [
  ['beyond the limit', 400, get('/').repeat(2_500)],
  ['behind a refused message', 800, `GET / HTTP/1.1\r\nHost: a b\r\n\r\n${get('/').repeat(2_500)}`],
  ['with an expectation', 300, get('/', 'Expect: x\r\n').repeat(1_600)],
  ['with large headers', 600, get('/held') + get('/', `X: ${'x'.repeat(16_000)}\r\n`).repeat(63)],
];

async function startProcess(t: TestContext): Promise<string> {
  const child = spawn(process.execPath, ['--input-type=module', '--eval', SCRIPT], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  t.after(() => child.kill('SIGKILL'));
  const [line] = await once(child.stdout.setEncoding('utf8'), 'data');
  return line.trim();
}

for (const [name, connections, sent] of FLOODS) {
  test(`pipelined requests ${name} take little memory`, async (t) => {
    const url = await startProcess(t);
    const bytes = Buffer.from(sent);
    const sockets = Array.from({ length: connections }, () =>
      connect(Number(new URL(url).port), '127.0.0.1')
        .on('error', () => {})
        .pause(),
    );
    t.after(() => sockets.forEach((socket) => void socket.destroy()));
    await Promise.all(
      sockets.map((socket) => new Promise((resolve) => socket.write(bytes, resolve))),
    );
    const answer = await fetch(`${url}/peak`, { signal: AbortSignal.timeout(60_000) });
    const peak = Number(await answer.text());
    t.diagnostic(`${peak} MB`);
    assert.ok(peak < MOST, `${peak} MB`);
  });
}
