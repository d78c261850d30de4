/** In Firefox, the script of passkeys decodes what is asked and encodes what is answered. */
import assert from 'node:assert/strict';
import test from 'node:test';
import { openFirefox, skipFirefox } from './firefox.ts';
import { openPasskeys } from './open-passkeys.ts';
import { SCRIPTS_WORK } from './script-modes.ts';

const skip = SCRIPTS_WORK ? skipFirefox : 'told once';

test('in Firefox, the script decodes what is asked and encodes what is answered', {
  skip,
}, async (t) => {
  const site = await openPasskeys();
  t.after(() => site.stop());
  const firefox = await openFirefox(t);
  const { click, evaluate, open, waitFor } = firefox;
  const button = 'form[data-passkey] button';
  await open(`${site.url}/login`);
  await waitFor(`!document.querySelector('form[data-passkey]').hidden`);
  await evaluate(
    `navigator.credentials.get = async () => { throw new DOMException('', 'NotAllowedError'); }`,
  );
  await click(button);
  await waitFor(`document.querySelector('[data-passkey-error]').textContent.includes('cancelled')`);
  const { sent } = site;
  assert.deepEqual(sent, []);
  await evaluate(`navigator.credentials.get = async ({ publicKey }) => {
    const bytes = new Uint8Array([0, 255, 254]).buffer;
    const response = { clientDataJSON: publicKey.challenge, authenticatorData: bytes, signature: bytes };
    return { id: 'AP_-', type: 'public-key', response };
  }`);
  const asked = await evaluate(
    `JSON.parse(document.querySelector('[data-options]').dataset.options).challenge`,
  );
  await click(button);
  await waitFor(`document.body.textContent.includes('The passkey was not accepted')`);
  const response = { clientDataJSON: asked, authenticatorData: 'AP_-', signature: 'AP_-' };
  const [answer = ''] = sent;
  assert.deepEqual(JSON.parse(answer), { id: 'AP_-', type: 'public-key', response });
});
