import assert from 'node:assert/strict';
import test from 'node:test';
import { rankCodings } from './accept-encoding.ts';

const CASES: readonly (readonly [header: string | undefined, ranked: string])[] = [
  // Without the header, or with only unknown codings, the body is not compressed.
  [undefined, 'identity'],
  ['', 'identity'],
  ['deflate, compress', 'identity'],
  // Headers of browsers.
  ['gzip, deflate, br, zstd', 'br zstd gzip identity'],
  ['gzip, deflate, br', 'br gzip identity'],
  ['gzip', 'gzip identity'],
  // Weights.
  ['br;q=0.5, gzip;q=0.8', 'gzip br identity'],
  ['br;q=0.001', 'br identity'],
  ['gzip;q=1.000, br;q=1.0, zstd;q=1.', 'br zstd gzip identity'],
  ['identity, gzip;q=0.5', 'identity gzip'],
  ['identity;q=0.5, gzip;q=0.5', 'gzip identity'],
  // Refusals.
  ['br;q=0, gzip', 'gzip identity'],
  ['gzip;q=0.000', 'identity'],
  ['identity;q=0, zstd', 'zstd'],
  ['*;q=0', 'identity'],
  ['identity;q=0', 'identity'],
  ['gzip, *;q=0', 'gzip'],
  // Wildcards.
  ['*', 'br zstd gzip identity'],
  ['*;q=0.5, gzip', 'gzip br zstd identity'],
  ['*, br;q=0', 'zstd gzip identity'],
  // Spelling.
  ['GZIP', 'gzip identity'],
  ['x-gzip', 'gzip identity'],
  ['x-br', 'identity'],
  [' gzip\t;\tQ=0.5 ,\tbr ; q=0.4', 'gzip br identity'],
  [',, gzip,', 'gzip identity'],
  // Malformed members are ignored.
  ['gzip;q=2, br;q=-1, zstd;q=0.1234', 'identity'],
  ['gzip;level=9', 'identity'],
  ['gzip br', 'identity'],
];

test('accepted codings are ranked by their weights, then by compression', () => {
  for (const [header, ranked] of CASES) {
    assert.equal(rankCodings(header).join(' '), ranked, `${header}`);
    assert.equal(rankCodings(header).join(' '), ranked, `${header}, asked again`);
  }
});

test('thousands of different headers are parsed correctly', () => {
  for (let index = 0; index < 2_000; index++) {
    const [weight, other] = [index % 1_000, (index + 500) % 1_000];
    const header = `br;q=0.${weight}, gzip;q=0.${other}, x${index}`;
    const first = Number(`0.${weight}`) >= Number(`0.${other}`) ? 'br' : 'gzip';
    assert.equal(rankCodings(header)[0], first, header);
  }
});
