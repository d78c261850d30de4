import assert from 'node:assert/strict';
import test from 'node:test';
import { type TaskResult, tableOf } from './table.ts';

const route: TaskResult = {
  name: 'route',
  title: 'one route',
  figures: ['cpu', 'throughput'],
  yardstick: [{ cpu: 20 }, { cpu: 10 }, { cpu: 10 }],
  contenders: {
    raw: [
      { cpu: 20, throughput: 1_000 },
      { cpu: 10, throughput: 12_345 },
      { cpu: 10, throughput: 20_000 },
    ],
    express: [{ cpu: 15, throughput: 1 }],
  },
};

test('CPU time is shown as a ratio of medians to the yardstick, and in microseconds for node:http', () => {
  assert.deepEqual(tableOf([route]).split('\n'), [
    '|  |  | node:http | Express |',
    '| --- | --- | --: | --: |',
    '| one route | CPU, ratio | 1.00 (10.0 µs) | 1.50 |',
    '|  | requests/s | 12,345 | 1 |',
    '',
  ]);
});

test('who has no such figure gets a dash, and who takes no part no column', () => {
  const start: TaskResult = {
    name: 'start',
    title: 'start',
    figures: ['start'],
    yardstick: null,
    contenders: { hono: [{ start: 99.6 }] },
  };
  const [head, , , , row] = tableOf([route, start]).split('\n');
  assert.equal(head, '|  |  | node:http | Hono | Express |');
  assert.equal(row, '| start | ms | – | 100 | – |');
});
