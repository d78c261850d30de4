/** In Firefox, the booking form of the recipe is booked with scripts. */
import assert from 'node:assert/strict';
import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import test from 'node:test';
import { openFirefox, skipFirefox } from './firefox.ts';
import { openRecipe, readRecipe } from './open-recipe.ts';

const [whole = ''] = readRecipe('booking');
const PLAN = { name: 'plan.txt', buffer: Buffer.from('two rows of seats') };
const BOOKED = /^hall,2026-12-24,7500,[0-9a-f-]{36},Ada,Bob$/;

test('a room is booked in Firefox, with a file and a second participant', {
  skip: skipFirefox,
}, async (t) => {
  const site = await openRecipe(whole);
  t.after(site.stop);
  const browser = await openFirefox(t);
  const { click, open, setFile, type, waitFor } = browser;
  const plan = join(mkdtempSync(join(tmpdir(), 'seeother-')), PLAN.name);
  writeFileSync(plan, PLAN.buffer);
  await open(`${site.url}/book`);
  await click('[value="hall"]');
  await browser.evaluate("document.querySelector('#purpose').value = 'party'");
  await browser.evaluate("document.querySelector('#day').value = '2026-12-24'");
  await type('#deposit', '75.00');
  await setFile('#plan', plan);
  await type('[name="participants.0.name"]', 'Ada');
  await click('[value="add participants"]');
  await waitFor("document.activeElement.name === 'participants.1.name'");
  await click('[value="book"]');
  await waitFor('document.querySelector(\'.error-summary a[href="#email"]\') !== null');
  await type('#email', 'ada@example.org');
  await type('[name="participants.1.name"]', 'Bob');
  await click('[value="book"]');
  await waitFor("document.body.textContent.includes('The room is booked.')");
  assert.equal(site.bookings.length, 1);
  assert.match(site.bookings[0] ?? '', BOOKED);
});
