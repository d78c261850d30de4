/** In Firefox, files are sent with their progress. */
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import test from 'node:test';
import { openFirefox, skipFirefox } from './firefox.ts';
import { openTyping } from './open-typing.ts';
import { SCRIPTS_WORK } from './script-modes.ts';

const PAPER = { name: 'paper.txt', buffer: Buffer.alloc(300_000, 'x') };

const skip = SCRIPTS_WORK ? skipFirefox : 'told once';

test('in Firefox, an upload shows its progress, can be cancelled, and counts once', {
  skip,
}, async (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'seeother-'));
  t.after(() => rmSync(folder, { recursive: true }));
  const site = await openTyping();
  t.after(() => site.stop());
  const firefox = await openFirefox(t);
  const { click, evaluate, open, setFile, type, waitFor } = firefox;
  const button = 'form button:not(.visually-hidden,.quiet)';
  const file = join(folder, PAPER.name);
  writeFileSync(file, PAPER.buffer);

  await open(`${site.url}/paper`);
  await setFile('#paper', file);
  await evaluate(`
    window.sending = XMLHttpRequest.prototype.send;
    XMLHttpRequest.prototype.send = () => {};`);
  await click(button);
  await waitFor("document.querySelector('progress')?.ariaLabel === 'Uploading'");
  await click('progress + button');
  await waitFor("document.querySelector('progress') === null");
  await evaluate('XMLHttpRequest.prototype.send = window.sending; undefined');

  // Refused: in place, with the file.
  await click(button);
  await waitFor("document.activeElement.matches('.error-summary')");
  await waitFor("document.querySelector('p.file')?.textContent.startsWith('paper.txt, 300 kB')");
  await type('#title', 'Fair');
  await click(button);
  await waitFor("document.title === 'Done'");

  await open(`${site.url}/paper`);
  await type('#title', 'Again');
  await setFile('#paper', file);
  await evaluate(`for (const _ of [1, 2]) document.querySelector('${button}').click()`);
  await waitFor("document.title === 'Done'");
  assert.deepEqual(site.sent, ['Fair 300000', 'Again 300000']);
});
