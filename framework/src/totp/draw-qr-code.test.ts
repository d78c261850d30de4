import assert from 'node:assert/strict';
import test from 'node:test';
import fc from 'fast-check';
import jsqr from 'jsqr';
import { html } from '../http/html.ts';
import { drawQrCode } from './draw-qr-code.ts';
import { totp } from './totp.ts';

/** The text that a camera would read, on a page of this grey. The decoder is by another author than the encoder. */
function readSvg(svg: string, grey: number): string | null {
  const size = Number(/viewBox="0 0 (\d+) \1"/.exec(svg)?.[1]);
  const scale = 4;
  // The page is wider than the picture.
  const width = (size + 20) * scale;
  const pixels = new Uint8ClampedArray(width * width * 4).fill(grey);
  const fill = (x: number, y: number, w: number, h: number, shade: number) => {
    for (let row = (y + 10) * scale; row < (y + h + 10) * scale; row++) {
      const start = (row * width + (x + 10) * scale) * 4;
      pixels.fill(shade, start, start + w * scale * 4);
    }
  };
  const [, ground] = /<path fill="#fff" d="M0 0h(\d+)v\1H0z"\/>/.exec(svg) ?? [];
  if (ground !== undefined) fill(0, 0, Number(ground), Number(ground), 255);
  const [, lines = ''] = /<path stroke="#000" d="([^"]+)"\/>/.exec(svg) ?? [];
  for (const [, x, y, w] of lines.matchAll(/M(\d+) (\d+)\.5h(\d+)/g))
    fill(Number(x), Number(y), Number(w), 1, 0);
  return jsqr.default(pixels, width, width, { inversionAttempts: 'dontInvert' })?.data ?? null;
}

const engine = totp();
const ADDRESS = engine.address({
  secret: 'GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ',
  account: 'anna.müller@example.org',
  issuer: 'Werkzeuge & Söhne',
});

test('a decoder reads the address from the picture, on a light page and on a dark one', () => {
  const svg = engine.draw(ADDRESS).markup;
  for (const grey of [255, 128, 0]) assert.equal(readSvg(svg, grey), ADDRESS, `grey ${grey}`);
});

test('a decoder reads any address, in modules of at least three pixels within a phone', () => {
  const name = fc.string({ unit: 'grapheme', maxLength: 200 });
  fc.assert(
    fc.property(name, name, (account, issuer) => {
      const address = engine.address({ secret: engine.createSecret(), account, issuer });
      const svg = engine.draw(address).markup;
      assert.equal(readSvg(svg, 0), address);
      const [, width, size] = /width="(\d+)".*viewBox="0 0 (\d+) /.exec(svg) ?? [];
      assert.ok(Number(width) <= 288 && Number(width) / Number(size) >= 3, `${width}, ${size}`);
    }),
    { numRuns: 25 },
  );
});

test('the quiet zone has four modules on each side', () => {
  const svg = drawQrCode('A').markup;
  const size = Number(/viewBox="0 0 (\d+) /.exec(svg)?.[1]);
  const lines = [...svg.matchAll(/M(\d+) (\d+)\.5h(\d+)/g)].map(([, ...all]) => all.map(Number));
  const edges = lines.map(([x = 0, y = 0, length = 0]) => ({ x, y, end: x + length }));
  assert.equal(Math.min(...edges.map(({ x }) => x)), 4);
  assert.equal(Math.min(...edges.map(({ y }) => y)), 4);
  assert.equal(Math.max(...edges.map(({ end }) => end)), size - 4);
  assert.equal(Math.max(...edges.map(({ y }) => y)), size - 5);
});

test('a strict policy allows the picture: it has no style, script or address', () => {
  const svg = engine.draw(ADDRESS).markup;
  const names = [...svg.matchAll(/ ([a-zA-Z-]+)="/g)].map(([, name]) => name);
  const allowed = ['class', 'role', 'width', 'height', 'viewBox', 'shape-rendering'];
  const drawing = ['d', 'fill', 'stroke'];
  assert.deepEqual(
    names.filter((one) => ![...allowed, ...drawing].includes(one ?? '')),
    [],
  );
  assert.deepEqual(
    [...svg.matchAll(/<(\w+)/g)].map(([, tag]) => tag).join(' '),
    'svg title path path',
  );
});

test('the picture has a title for screen readers, which is escaped', () => {
  const svg = engine.draw(ADDRESS, '<b>QR-Code</b>').markup;
  assert.match(svg, /^<svg class="qr-code" role="img" /);
  assert.match(svg, /<title>&lt;b&gt;QR-Code&lt;\/b&gt;<\/title>/);
  assert.match(engine.draw(ADDRESS).markup, /<title>QR code<\/title>/);
  assert.equal(html`<p>${drawQrCode('A')}</p>`.markup, `<p>${drawQrCode('A').markup}</p>`);
});
