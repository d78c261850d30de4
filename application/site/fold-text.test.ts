import assert from 'node:assert/strict';
import test from 'node:test';
import { compareNames, foldText } from './fold-text.ts';

test('й is no accent of и, however it is written, and ё is one of е', () => {
  assert.equal(foldText('Чай'), foldText('ча\u0438\u0306'));
  assert.notEqual(foldText('май'), foldText('маи'));
  assert.equal(foldText('ёлка'), foldText('елка'));
  const names = ['кот', 'йод', 'ива', 'жук'];
  assert.deepEqual(names.toSorted(compareNames), ['жук', 'ива', 'йод', 'кот']);
});
