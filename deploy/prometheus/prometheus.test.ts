/** Checks the files for Prometheus with its own tool, and that everything they name is measured. */
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import test from 'node:test';
import { collectMetrics } from '../../application/metrics/collect-metrics.ts';
import { addUp } from '../../application/metrics/serve-metrics.ts';
import { readText } from '../../scripts/project-files.ts';
import { requireProgram, skipWithout } from '../find-program.ts';

const skip = skipWithout('promtool');

function promtool(args: readonly string[], input = ''): string {
  return execFileSync(requireProgram('promtool'), args, {
    cwd: join(import.meta.dirname),
    encoding: 'utf8',
    input,
  });
}

/** What Prometheus reads of an application that has just started. */
async function readMetrics(): Promise<string> {
  const { read, stop } = collectMetrics(
    async () => 0,
    async () => [],
    'build',
  );
  const text = await addUp([await read()]).metrics();
  stop();
  return text;
}

test('Prometheus understands the configuration, and each alert fires when it should', {
  skip,
}, () => {
  promtool(['check', 'config', 'prometheus.yml']);
  promtool(['test', 'rules', 'alerts.test.yml']);
});

test('the names and units of the metrics are as Prometheus wants them', { skip }, async () => {
  const own = (await readMetrics()).split('\n').filter((line) => /^(# \w+ )?seeother_/.test(line));
  assert.ok(own.length > 40);
  assert.equal(promtool(['check', 'metrics'], `${own.join('\n')}\n`), '');
});

test('every series of the dashboard and of the alerts is measured, and in the manual', async () => {
  const manual = readText('docs/application/watching.md');
  const measured = [...(await readMetrics()).matchAll(/^# TYPE (\w+)/gm)].map(([, name]) => name);
  for (const file of ['grafana-dashboard.json', 'alerts.yml']) {
    const named = readText(`deploy/prometheus/${file}`).matchAll(
      /\b(seeother|nodejs|process)_\w+/g,
    );
    for (const [name] of named)
      assert.ok(measured.includes(name.replace(/_(bucket|sum|count)$/, '')), `${file}: ${name}`);
  }
  for (const name of measured)
    if (name?.startsWith('seeother_')) assert.ok(manual.includes(`\`${name}\``), name);
});
