/** In Firefox, what the script of forms does while one types. */
import assert from 'node:assert/strict';
import test from 'node:test';
import { openFirefox, skipFirefox } from './firefox.ts';
import { openTyping } from './open-typing.ts';
import { SCRIPTS_WORK } from './script-modes.ts';

const skip = SCRIPTS_WORK ? skipFirefox : 'told once';

test('in Firefox, a field is checked when it is left, and results come as one types', {
  skip,
}, async (t) => {
  const site = await openTyping();
  t.after(() => site.stop());
  const firefox = await openFirefox(t);
  const { evaluate, open, type, waitFor } = firefox;
  const has = (selector: string) => `document.querySelector(${JSON.stringify(selector)}) !== null`;
  await open(`${site.url}/join`);
  await type('#seats', '9\uE004');
  await waitFor(has('#seats[aria-invalid=true][aria-describedby=seats-error]'));
  await waitFor("document.activeElement.name === 'day.month'");
  const said = await evaluate("document.querySelector('body > [aria-live]').textContent");
  assert.match(String(said), /Seats must be between 1 and 9/);
  await open(`${site.url}/lend`);
  await type('#find', 'A');
  await waitFor(has('[type=radio][value=Alan]'));
  assert.equal(await evaluate('document.activeElement.value'), 'A');
});
