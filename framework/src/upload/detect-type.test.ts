import assert from 'node:assert/strict';
import test from 'node:test';
import { detectType } from './detect-type.ts';

test('a PDF may have 1,024 bytes before its mark, and a text about PDF is text', async () => {
  const typeOf = (content: string, sent = 'application/pdf') =>
    detectType(Buffer.from(content, 'latin1'), { type: sent });
  const pdf = '%PDF-1.7\n%âãÏÓ\n';
  for (const before of ['', '\n', '\r\n\r\n', ' ', '\xef\xbb\xbf', '\0\0', 'x'.repeat(1_024)])
    assert.equal(await typeOf(before + pdf), 'application/pdf', JSON.stringify(before));
  assert.equal(await typeOf('x'.repeat(1_025) + pdf), 'text/plain');
  assert.equal(await typeOf('a file begins with %PDF- and a version'), 'text/plain');
  assert.equal(await typeOf('<script>%PDF-1.7</script>', 'text/html'), 'text/html');
  assert.equal(await typeOf('\0%PDX-1.7'), '');
});
