/** Compares documents that describe the running code with the code. */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import test from 'node:test';
import { explain } from 'seeother';
import { createIdleApplication } from './create-idle-application.ts';
import { readExamples } from './document-examples.ts';
import { listFiles, listGuides, ROOT, readText } from './project-files.ts';
import { readReadingLists } from './reading-list.ts';

test('the journey of a request names the chain of POST /items, in its order', () => {
  const { application } = createIdleApplication();
  const chain = explain(application, 'POST', '/items').chain.map(({ name }) => name);
  const rows = readText('docs/request-journey.md').matchAll(/^ *\| `([\w ]+)[^`]*` \|/gm);
  assert.deepEqual(
    [...rows].map(([, name]) => name),
    chain,
  );
});

test('the sample of explain in the guide is what explain prints', () => {
  const guide = readText('docs/guides/routing.md');
  const sample = /^\$ npm run explain -- POST \/items\n([\s\S]*?)^```/m.exec(guide)?.[1];
  const { stdout } = spawnSync(
    process.execPath,
    [join(ROOT, 'scripts', 'explain.ts'), 'POST', '/items'],
    { encoding: 'utf8', env: { ...process.env, FORCE_COLOR: undefined } },
  );
  let printed = toLines(stdout);
  // Each part of the sample between two "…" must be in the output unchanged, after the part before.
  for (const part of (sample ?? assert.fail('no sample')).split(/^ *…$/m)) {
    const lines = toLines(part);
    const at = printed.findIndex((_, index) => startsWith(printed.slice(index), lines));
    assert.notEqual(at, -1, `explain does not print:\n${lines.join('\n')}\nbut:\n${stdout}`);
    printed = printed.slice(at + lines.length);
  }
  assert.deepEqual(printed, [], 'the sample ends before the output');
});

/** Without the column widths, which depend on omitted rows, and without the line number of the route. */
function toLines(output: string): readonly string[] {
  return output
    .split('\n')
    .map((line) =>
      line
        .trim()
        .replaceAll(/ {2,}/g, '  ')
        .replace(/router\.ts:\d+:\d+/, 'router.ts'),
    )
    .filter((line) => line !== '');
}

function startsWith(lines: readonly string[], start: readonly string[]): boolean {
  return start.every((line, index) => lines[index] === line);
}

test('every name that the framework exports is in a guide', () => {
  const code = listGuides()
    .flatMap((file) => readText(file).match(/```[\s\S]*?```|`[^`]*`/g) ?? [])
    .join('\n');
  const names = listExports().map((name) => name.replace('type ', ''));
  assert.ok(names.length > 100, `only ${names.length} names were found`);
  const isNamed = (name: string) => new RegExp(`(?<![\\w$])${name}(?![\\w$])`).test(code);
  assert.deepEqual(
    names.filter((name) => !isNamed(name)),
    [],
  );
});

/** The names that the entries export, each type after `type `. */
function listExports(): readonly string[] {
  const { exports } = JSON.parse(readText('framework/package.json'));
  return Object.values<string>(exports).flatMap((file) =>
    [...readText(join('framework', file)).matchAll(/export (type )?\{([^}]*)\}/g)].flatMap(
      ([, type = '', list = '']) => (list.match(/(?:type )?\w+/g) ?? []).map((name) => type + name),
    ),
  );
}

test('the application, a project of create or an example imports each value that the framework exports', () => {
  const users = ['application', 'create', 'scripts'].flatMap(listFiles).map(readText);
  const code = [...users, ...readExamples().map(({ source }) => source)].join('\n');
  const imports =
    code.match(/\{[^{}]*\} (?:from |= await import\(\s*)'seeother|(?<=\bfields\.)\w+/g) ?? [];
  const used = new Set(imports.join().match(/\w+/g));
  assert.deepEqual(
    listExports().filter((name) => !name.startsWith('type ') && !used.has(name)),
    [],
  );
});

test('the guide of upgrading names what there is now, and the entry that exports it', () => {
  const [moved = '', gone = ''] = readText('docs/guides/upgrading.md').split('These are gone:');
  const readRows = (part: string) => [...part.matchAll(/^\| (`.+) \| (.+) \|$/gm)];
  const namesOf = (cell: string) => cell.match(/(?<=`)\w+(?=[(`])/g) ?? [];
  for (const [, names = '', entry = ''] of readRows(moved)) {
    const text = readText(`framework/${/seeother\/(\w+)/.exec(entry)?.[1]}.ts`);
    for (const name of namesOf(names)) assert.match(text, new RegExp(`\\b${name}\\b`));
  }
  const rows = readRows(gone);
  assert.ok(rows.length > 15);
  const report = readText('docs/api-report.txt');
  for (const name of rows.flatMap(([, , now = '']) => namesOf(now)))
    assert.match(report, new RegExp(`\\b${name}\\b`));
});

test('every package, lock file, document and the changelog have the same version', () => {
  const { version } = JSON.parse(readText('package.json')) as { version: string };
  const folders = ['framework/', 'create/', 'application/', 'bench/'];
  const versions = folders.map((folder) => JSON.parse(readText(`${folder}package.json`)).version);
  assert.deepEqual(
    versions,
    folders.map(() => version),
  );
  assert.equal(JSON.parse(readText('application/package.json')).dependencies.seeother, version);
  for (const file of ['package-lock.json', 'bench/package-lock.json']) {
    const { packages } = JSON.parse(readText(file)) as {
      packages: Record<string, { version?: string }>;
    };
    for (const folder of ['', 'framework', 'application'])
      assert.equal(packages[folder]?.version ?? version, version, `${file}: ${folder}`);
  }
  const [, ...headings] = [...readText('CHANGELOG.md').matchAll(/^## (.+)$/gm)].map(([, it]) => it);
  assert.match(
    headings[0] ?? '',
    new RegExp(`^\\[${RegExp.escape(version)}\\] - \\d{4}-\\d\\d-\\d\\d$`),
  );
  const files = ['README.md', '.github/ISSUE_TEMPLATE/bug.yml', ...listFiles('docs')];
  const written = /(?:seeother[-_@]|\bv|placeholder: )(\d+\.\d+\.\d+)/g;
  for (const file of files.filter((one) => /\.(?:md|yml)$/.test(one)))
    for (const [, one] of readText(file).matchAll(written)) assert.equal(one, version, file);
});

test('every export has a docstring', () => {
  const [report = ''] = readText('docs/api-report.txt').split('=== types of options');
  const listNames = (pattern: RegExp) => [...report.matchAll(pattern)].map(([, name]) => name);
  // Overloads share one.
  const documented = listNames(/^\/\/ .*\nexport (?:declare )?\w+ (\w+)/gm);
  const exported = listNames(/^export (?:declare )?\w+ (\w+)/gm);
  assert.deepEqual(
    exported.filter((name) => !documented.includes(name)),
    [],
  );
});

test('the decisions are at most 40 pages of half a page, each with its four parts', () => {
  const pages = listFiles('docs/decisions');
  assert.ok(pages.length <= 40, `there are ${pages.length}: join those about one subject`);
  const parts = ['**Context.**', '**Decision', '**Consequences.**', '**Revisit when**'];
  const flaws = pages
    .filter((file) => !file.endsWith('README.md'))
    .map((file) => ({ file, text: readText(file) }))
    .filter(({ text }) => {
      const places = parts.map((part) => text.indexOf(part));
      const isInOrder = places.every((place, index) => place > (places[index - 1] ?? 0));
      return !isInOrder || text.trimEnd().split('\n').length > 40;
    });
  assert.deepEqual(
    flaws.map(({ file }) => file),
    [],
  );
});

test('the README answers five questions in at most 400 lines of code each, and 1,440 in all', () => {
  const lists = readReadingLists('README.md');
  assert.deepEqual(
    lists.filter(({ entries, lines }) => entries.length < 3 || lines > 400),
    [],
  );
  assert.equal(lists.length, 5);
  const sum = lists.reduce((total, { lines }) => total + lines, 0);
  const each = lists.map(({ question, lines }) => `${question} ${lines}`).join(', ');
  assert.ok(sum <= 1_440, `they are ${sum} lines, so shorten one: ${each}`);
});

test('docs/reading-forms.md answers three questions in at most 600 lines of code each', () => {
  const lists = readReadingLists('docs/reading-forms.md');
  assert.equal(lists.length, 3);
  assert.deepEqual(
    lists.filter(({ lines }) => lines > 600),
    [],
  );
});
