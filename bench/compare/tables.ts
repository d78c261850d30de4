/** The tables of a comparison, in Markdown. */
import { format, toTable } from '../markdown-table.ts';
import { median } from '../servers/harness/statistics.ts';
import type { Figure, Pairs, Result, Sample, Subject } from './measure.ts';
import { compareSamples, isNoisy, type Ratio } from './statistics.ts';

/** A difference of this share has to show. */
const VISIBLE = 0.03;

export function toTables(
  subjects: readonly Subject[],
  results: readonly Result[],
  figures: readonly Figure[],
): string {
  const [older = '', newer = ''] = subjects.map(({ title }) => title);
  const ways = subjects.map(
    ({ title, isBundle }) => `${title} ${isBundle ? 'bundled' : 'from source'}`,
  );
  const head = [
    `µs of CPU, ${older}`,
    newer,
    'ratio',
    '95 %',
    'KB allocated',
    'statements',
    'rows',
    'bytes sent',
  ];
  const costs = results.map(({ name, measured, counted }) => {
    const cpu = toPairs(measured, 'cpu');
    return [
      name,
      ...toCells(cpu, 1),
      change(toPairs(measured, 'allocated'), 1, 1_024),
      change(toPairs(counted, 'statements'), 1),
      change(toPairs(counted, 'rows'), 1),
      change(toPairs(measured, 'sent'), 0),
    ];
  });
  const others = figures.filter(({ samples }) => samples[0].length > 0);
  return [
    `${ways.join(' and ')}; routes from source. Node ${process.versions.node}.\n`,
    results.length === 0 ? '' : toTable(['a request', ...head], costs),
    others.length === 0
      ? ''
      : toTable(
          ['', older, newer, 'ratio', '95 %'],
          others.map(({ name, samples }) => [name, ...toCells(samples, 1)]),
        ),
  ].join('\n');
}

/** Both medians, their ratio, and its interval. */
function toCells(samples: Pairs<number>, digits: number): readonly string[] {
  const ratio = compareSamples(...samples);
  return [
    ...samples.map((one) => format(median(one), digits)),
    format(ratio.value, 3),
    toInterval(ratio),
  ];
}

function toInterval(ratio: Ratio): string {
  if (Number.isNaN(ratio.low)) return 'too few pairs';
  const interval = `${format(ratio.low, 3)} to ${format(ratio.high, 3)}`;
  return isNoisy(ratio, VISIBLE) ? `${interval}, too noisy to tell 3 %` : interval;
}

/** One figure where both are the same. */
function change(samples: Pairs<number>, digits: number, unit = 1): string {
  const [older = '', newer = ''] = samples.map((one) => format(median(one) / unit, digits));
  return older === newer ? older : `${older} → ${newer}`;
}

function toPairs(samples: Pairs<Sample>, figure: keyof Sample): Pairs<number> {
  return [samples[0].map((one) => one[figure]), samples[1].map((one) => one[figure])];
}
