import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { existsSync, globSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import test from 'node:test';
import { listLinks } from './list-links.ts';
import { readPages } from './read-pages.ts';

test('the static files are every page below the base, without the search', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'seeother-documents-'));
  try {
    const main = join(import.meta.dirname, 'main.ts');
    execFileSync(process.execPath, [main, '--out', folder, '--base', '/seeother']);
    const files = globSync('**/*.html', { cwd: folder });
    assert.equal(files.length, readPages().length + 1);
    for (const file of files) {
      const text = readFileSync(join(folder, file), 'utf8');
      assert.doesNotMatch(text, /<form/);
      for (const link of listLinks(text).filter((one) => !/^(?:https?:|#)/.test(one))) {
        const path = /^\/seeother(\/[^#]*)/.exec(link)?.[1] ?? assert.fail(`${file} has ${link}`);
        assert.ok(existsSync(join(folder, path.replace(/\/$/, '/index.html'))), link);
      }
    }
  } finally {
    rmSync(folder, { recursive: true });
  }
});
