/** In Firefox, a chosen picture is shown below its field. */
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import test from 'node:test';
import { openFirefox, skipFirefox } from './firefox.ts';
import { openTyping } from './open-typing.ts';
import { SCRIPTS_WORK } from './script-modes.ts';

/** 8 × 4 pixels, red. */
const SMALL = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAgAAAAECAIAAAA8r+mnAAAAEklEQVR4nGP4z8CAFWEXJUsCAFpeH+EeQoQoAAAAAElFTkSuQmCC',
  'base64',
);
const SIZE = "['width', 'height'].map((name) => document.querySelector('canvas')[name]).join(' ')";

const skip = SCRIPTS_WORK ? skipFirefox : 'told once';

test('in Firefox, a chosen picture is shown, and the form is sent with it', { skip }, async (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'seeother-'));
  t.after(() => rmSync(folder, { recursive: true }));
  const site = await openTyping();
  t.after(() => site.stop());
  const firefox = await openFirefox(t);
  const { click, evaluate, open, setFile, type, waitFor } = firefox;
  const write = (name: string, content: Buffer | string) => {
    writeFileSync(join(folder, name), content);
    return join(folder, name);
  };
  await open(`${site.url}/paper`);
  await type('#title', 'Fair');
  await setFile('#paper', write('small.png', SMALL));
  await waitFor("document.querySelector('canvas[role=img]')?.ariaLabel === 'small.png'");
  assert.equal(await evaluate(SIZE), '8 4');
  await setFile('#paper', write('broken.png', 'no picture'));
  await waitFor("document.querySelector('canvas') === null");
  await setFile('#paper', write('small.png', SMALL));
  await waitFor("document.querySelector('canvas') !== null");
  await click('form button:not(.visually-hidden)');
  await waitFor("document.title === 'Done'");
  assert.deepEqual(site.sent, [`Fair ${SMALL.length}`]);
});
