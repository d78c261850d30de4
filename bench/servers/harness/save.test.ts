import assert from 'node:assert/strict';
import test from 'node:test';
import { toPlot } from '../../plot.ts';
import type { Results } from './results.ts';
import { replaceSection, toSection } from './save.ts';

const results: Results = {
  machine: 'A <fast> machine',
  system: 'Linux 6.1',
  date: '2026-11-21',
  commit: 'abc1234',
  node: '26.10.0',
  generator: 'wrk',
  rounds: 3,
  seconds: 2,
  sync: 0.456,
  versions: { hono: '4.13.19' },
  tasks: [
    {
      name: 'create',
      title: 'creates & syncs',
      figures: ['creates', 'p99'],
      yardstick: null,
      contenders: { raw: [{ creates: 1_000 }], seeother: [{ creates: 4_000 }] },
    },
    {
      name: 'route',
      title: 'a route',
      figures: ['cpu'],
      yardstick: [{ cpu: 10 }],
      contenders: { raw: [{ cpu: 10 }], hono: [{ cpu: 12.5 }] },
    },
  ],
};

test('the section says where and when, with which versions, and has the table', () => {
  const section = toSection(results);
  assert.match(section, /commit abc1234; 3 rounds\nof 2 s; a sync of the disk takes 0\.46 ms/);
  assert.match(section, /hono 4\.13\.19/);
  assert.match(section, /\| a route \| CPU, ratio \| 1\.00 \(10\.0 µs\) \| – \| 1\.25 \|/);
});

test('only what stands between the marks is replaced', () => {
  const text = 'before\n<!-- results -->\nold\n<!-- end of results -->\nafter\n';
  const replaced = 'before\n<!-- results -->\n\nnew\n<!-- end of results -->\nafter\n';
  assert.equal(replaceSection(text, 'new'), replaced);
  assert.throws(() => replaceSection('no marks', 'new'), /<!-- results --> is not there/);
});

test('the plot has a panel for each task, the best on top, and no markup from outside', () => {
  const plot = toPlot(results);
  assert.ok(plot.indexOf('>Seeother<') < plot.indexOf('>node:http<'));
  assert.match(plot, /a form stored for good/);
  assert.match(plot, /A &lt;fast> machine/);
  assert.equal(plot.match(/class="bar ours"/g)?.length, 1);
  assert.equal(plot.match(/<rect class="bar/g)?.length, 4);
});
