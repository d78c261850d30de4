/**
 * A disk that fails to save: the process cannot know what is on disk, so it ends, and a restart finds
 * out.
 */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import test from 'node:test';
import { pathToFileURL } from 'node:url';
import { createTestDatabase } from '../application/testing/create-test-database.ts';
import { createTestFolder } from '../application/testing/open-test-database.ts';
import { startApplication } from '../application/testing/start-application.ts';
import { compareBooks, createBooks, logIn, nextForm, readItems, sendForm } from './send-forms.ts';

/** A process that does not end fails its own test instead of blocking the others. */
const LIMIT = { timeout: 120_000 };
const FAIL_SYNCS = pathToFileURL(join(import.meta.dirname, 'fail-syncs.ts')).href;

test(
  'a disk that fails to save ends the process with exit code 1, and a form sent again counts once',
  LIMIT,
  async (t) => {
    const { url: databaseUrl, drop } = await createTestDatabase('sqlite');
    t.after(drop);
    const broken = join(createTestFolder(t), 'broken');
    const environment = { SAMPLE_ITEMS: '0', DATABASE_URL: databaseUrl, DRAIN_LIMIT: '5' };
    const site = await startApplication({
      ...environment,
      NODE_OPTIONS: `--import=${FAIL_SYNCS}`,
      FAIL_SYNCS: broken,
    });
    t.after(() => site.process.kill('SIGKILL'));
    const ended = once(site.process, 'close');
    const cookie = await logIn(site.url);
    const books = createBooks();
    await sendForm(books, nextForm(books), site.url, cookie);
    writeFileSync(broken, '');
    const unsure = nextForm(books);
    // An answer, or a connection that the end of the process has broken.
    await sendForm(books, unsure, site.url, cookie);
    assert.equal(unsure.path, null, 'what was not saved was acknowledged');
    assert.deepEqual(await ended, [1, null]);
    assert.match(site.output().errors, /"The disk has failed to save; stopping\."/);

    rmSync(broken);
    const next = await startApplication(environment);
    t.after(() => next.stop());
    await sendForm(books, unsure, next.url, cookie);
    const balance = compareBooks(books, await readItems(databaseUrl));
    assert.deepEqual(balance, { acknowledged: 2, lost: 0, ghosts: 0, doubled: 0, gaps: 0 });
  },
);
