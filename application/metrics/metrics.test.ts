/** What Prometheus reads of an instance with two workers. */
import assert from 'node:assert/strict';
import test from 'node:test';
import { setTimeout as wait } from 'node:timers/promises';
import { createVisitor } from 'seeother/testing';
import { findFreePort } from '../testing/postgres/find-free-port.ts';
import { reachInstance } from '../testing/reach-instance.ts';
import { runApplication, startApplication } from '../testing/start-application.ts';

const ADA = { username: 'ada', password: 'correct horse battery' };
/** Milliseconds for what should come at once. */
const LIMIT = 20_000;
const COUNT = 'seeother_http_request_duration_seconds_count';

/** The value of each series, by its name with labels. */
async function readSeries(url: string): Promise<ReadonlyMap<string, number>> {
  const response = await fetch(url);
  assert.equal(response.status, 200);
  assert.match(response.headers.get('content-type') ?? '', /^text\/plain; version=0\.0\.4/);
  const lines = (await response.text()).split('\n').filter((line) => /^[a-z]/.test(line));
  return new Map(
    lines.map((line) => {
      const end = line.lastIndexOf(' ');
      return [line.slice(0, end), Number(line.slice(end + 1))];
    }),
  );
}

test('metrics are those of all workers, also of a worker that has been killed', async (t) => {
  const port = await findFreePort();
  const site = await startApplication({
    WORKERS: '2',
    SAMPLE_ITEMS: '0',
    REGISTRATION: 'open',
    METRICS_PORT: String(port),
  });
  t.after(() => site.stop());
  const url = `http://127.0.0.1:${port}/metrics`;
  const read = () => readSeries(url);
  const visitor = createVisitor(reachInstance(() => site.url));

  // Each is a connection of its own, so that both workers have some.
  const answers = await Promise.all(
    Array.from({ length: 40 }, (_, number) =>
      fetch(`${site.url}/items/${number + 1}`, { headers: { connection: 'close' } }),
    ),
  );
  assert.deepEqual([...new Set(answers.map(({ status }) => status))], [404]);
  assert.equal((await visitor.get('/no/such/page')).status, 404);
  await visitor.submit('/register', ADA);
  const fields = { name: 'Ladder', _once: 'page-1' };
  assert.equal((await visitor.post('/items', fields)).status, 303);
  assert.equal((await visitor.post('/items', fields)).status, 303);
  await visitor.post('/logout');
  await visitor.submit('/login', { ...ADA, password: 'not it at all' });

  const before = await read();
  assert.equal(before.get(`${COUNT}{method="GET",route="/items/:number<int>",status="404"}`), 40);
  assert.equal(before.get(`${COUNT}{method="GET",route="none",status="404"}`), 1);
  assert.equal(before.get(`${COUNT}{method="POST",route="/items",status="303"}`), 2);
  assert.equal(before.get('seeother_forms_total{result="repeated"}'), 1);
  assert.equal(before.get('seeother_security_events_total{event="log-in failed"}'), 1);
  assert.equal(before.get('seeother_work_duration_seconds_count{name="password hash"}'), 2);
  assert.ok((before.get('seeother_request_body_bytes_total') ?? 0) > 0);
  assert.equal(
    [...before.keys()].some((name) => name.includes('no/such') || name.includes('ada')),
    false,
    'no label has the text of a client',
  );

  const pid = Number(/"A worker listens\.","worker":(\d+)/.exec(site.output().errors)?.[1]);
  process.kill(pid, 'SIGKILL');
  const limit = Date.now() + LIMIT;
  while ((site.output().errors.match(/"A worker listens/g)?.length ?? 0) < 3) {
    assert.ok(Date.now() < limit, 'another worker takes its place');
    await wait(20);
  }
  const after = await read();
  for (const name of [
    `${COUNT}{method="GET",route="/items/:number<int>",status="404"}`,
    'seeother_forms_total{result="repeated"}',
  ])
    assert.equal(after.get(name), before.get(name), name);

  assert.equal((await fetch(new URL('/items', url))).status, 404);
  assert.equal((await fetch(`${site.url}/metrics`)).status, 404, 'a visitor cannot read them');
});

test('a port that is taken is a sentence', async (t) => {
  const port = await findFreePort();
  const first = await startApplication({ METRICS_PORT: String(port) });
  t.after(() => first.process.kill('SIGKILL'));
  const second = runApplication({
    PORT: '0',
    DATABASE_URL: first.databaseUrl,
    METRICS_PORT: String(port),
  });
  const { code, errors } = await second.ended;
  await first.stop();
  assert.equal(code, 1);
  assert.equal(
    errors.split('\n').at(-2),
    `Cannot serve metrics on 127.0.0.1:${port}: another program is already listening there. Stop it, or set METRICS_PORT to another number.`,
  );
});
