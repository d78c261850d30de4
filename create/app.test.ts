import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import test from 'node:test';
import { createBarePostgresDatabase } from '../application/testing/postgres/cluster.ts';
import { skipWithoutPrograms } from '../application/testing/postgres/find-programs.ts';
import { createProject, runTests, startProject, waitLonger } from './made-project.ts';

/** Starts the application and asks for its first page and its health, which reads the database. */
async function open(project: string, environment = {}): Promise<void> {
  const { url, stop } = await startProject(project, environment);
  try {
    const page = await (await fetch(url)).text();
    assert.match(page, /There are no items here/);
    const health = await fetch(new URL('/healthz', url));
    assert.equal(await health.text(), 'ok\n');
  } finally {
    await stop();
  }
}

test('the application passes its tests and serves', async () => {
  const project = createProject('things', '--template', 'app');
  assert.deepEqual(readdirSync(project, { recursive: true }).sort(), [
    '.gitignore',
    'AGENTS.md',
    'accounts.ts',
    'database.ts',
    'items.ts',
    'layout.ts',
    'links.ts',
    'main.ts',
    'open-database.ts',
    'package.json',
    'prepare.cjs',
    'public',
    join('public', 'styles.css'),
    'router.ts',
    'site.test.ts',
    'tsconfig.json',
  ]);
  runTests(project, 20);
  await open(project);
});

test('the application does the same on PostgreSQL', { skip: skipWithoutPrograms() }, async (t) => {
  const project = createProject('things-postgres', '--template', 'app', '--database', 'postgres');
  waitLonger(project);
  const tested = await createBarePostgresDatabase();
  t.after(tested.drop);
  runTests(project, 20, { TEST_DATABASE_URL: tested.url });
  const served = await createBarePostgresDatabase();
  t.after(served.drop);
  await open(project, { DATABASE_URL: served.url });
});
