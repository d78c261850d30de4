/** Row D5 of docs/hostile.md: who says that a request came over https. */
import assert from 'node:assert/strict';
import test from 'node:test';
import { send, startSite } from './probe.ts';

test('D5: a trusted proxy says whether a form came over https, and no other client can', async (t) => {
  const over = { 'X-Forwarded-Proto': 'https' };
  for (const [trust, name, status] of [
    ['127.0.0.1', '__Host-sid', 403],
    ['10.0.0.1', 'sid', 303],
  ] as const) {
    const site = await startSite({ TRUST_PROXY: trust });
    t.after(() => site.stop());
    const [, id = ''] = site.cookie.split('=');
    const headers = { ...over, Cookie: `${name}=${id}` };
    // Without Sec-Fetch-Site and Origin, a form is accepted over http and refused over https.
    const answer = await send(site.url, '/items', { name: 'Drill' }, headers);
    assert.equal(answer.status, status, trust);
    const own = { ...headers, 'Sec-Fetch-Site': 'same-origin' };
    assert.equal((await send(site.url, '/items', { name: 'Saw' }, own)).status, 303, trust);
  }
});
