/** The rules of the house that a program can check. */
import assert from 'node:assert/strict';
import { existsSync, globSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import test from 'node:test';
import { readEntries } from './pack-framework.ts';
import { importsOf, listFiles, ROOT, readText } from './project-files.ts';

const files = listFiles();
const code = files.filter((file) => /\.(ts|cjs)$/.test(file));
const documents = files.filter((file) => file.endsWith('.md'));

/** Where an import leads: a path from the root, or the name of a package. */
function resolveImport(file: string, module: string): string {
  return module.startsWith('.') ? relative(ROOT, resolve(ROOT, dirname(file), module)) : module;
}

function offenders(folder: string, isForbidden: (target: string) => boolean): readonly string[] {
  return code
    .filter((file) => file.startsWith(folder))
    .flatMap((file) =>
      importsOf(file).map((module) => `${file} imports ${resolveImport(file, module)}`),
    )
    .filter((line) => isForbidden(line.split(' imports ')[1] ?? ''));
}

test('the checks find code', () => {
  assert.ok(code.length > 50, `only ${code.length} files were found`);
});

test('the framework imports nothing of the application', () => {
  assert.deepEqual(
    offenders('framework/', (target) => /^(application\/|seeother-application)/.test(target)),
    [],
  );
});

test('the framework needs no package at run time', () => {
  const outside = (target: string) => !/^(framework\/|node:)/.test(target);
  // PostgreSQL's driver is an optional peer dependency, loaded when a server is connected to.
  const isDriver = (line: string) => /^framework\/src\/postgres\/\S+ imports pg$/.test(line);
  // So are the parser of forms with files, and what tells the types of files.
  const isParser = (line: string) =>
    /^framework\/src\/upload\/\S+ imports (@fastify\/busboy|file-type)$/.test(line);
  // And what finds the times of schedules, which `seeother/schedules` loads.
  const isCron = (line: string) => line === 'framework/src/database/every.ts imports croner';
  // And what computes one-time codes and draws their QR codes, which `seeother/totp` loads.
  const isTotp = (line: string) => /^framework\/src\/totp\/\S+ imports (otpauth|qr)$/.test(line);
  // And what verifies passkeys, which `seeother/passkeys` loads.
  const isWebAuthn = (line: string) =>
    /^framework\/src\/passkeys\/\S+ imports @simplewebauthn\/server(\/helpers)?$/.test(line);
  // And what signs in at a company's provider, which `seeother/openid` loads.
  const isOpenId = (line: string) =>
    /^framework\/src\/openid\/\S+ imports (openid-client|jose)$/.test(line);
  const allowed = [isDriver, isParser, isCron, isTotp, isWebAuthn, isOpenId];
  const isAllowed = (line: string) => allowed.some((one) => one(line));
  const lines = offenders('framework/', outside).filter(
    (line) => !isTest(line.split(' imports ')[0] ?? '') && !isAllowed(line),
  );
  assert.deepEqual(lines, []);
});

/** The rooms of the framework by their floor, from the ground up. */
const FLOORS = [
  ['language', 'events'],
  ['http'],
  ['chain'],
  ['router'],
  ['session'],
  ['field', 'tables'],
  ['form'],
  ['once'],
  ['middleware', 'upload'],
  ['server', 'database', 'observe', 'passkeys', 'openid', 's3'],
  ['sqlite', 'postgres'],
  ['site'],
  ['steps', 'lists'],
  ['audit'],
  ['totp'],
  ['accounts'],
  ['testing'],
];

test('a room of the framework imports from itself and from lower floors only', () => {
  const rooms = (file: string) => /^framework\/src\/([^/]+)\//.exec(file)?.[1] ?? null;
  assert.deepEqual(upwards('framework/src/', FLOORS, rooms), []);
});

/**
 * The rooms of the application from the ground up, each on a floor of its own: a room imports only from those
 * below it. A file beside router.ts is a room too.
 */
const ROOMS = [
  'links.ts',
  'pictures',
  'settings',
  'metrics',
  'database/migrations',
  'database',
  'site',
  'mail',
  'accounts',
  'errors',
  'own-fields',
  'items',
  ...['events', 'missing', 'facets', 'list', 'export', 'lend', 'quantity', 'files', 'add'].map(
    inItems,
  ),
  'items/delete',
  inItems('labels'),
  ...[
    'edit',
    'select',
    'places',
    'lend-several',
    'count',
    'rename',
    'show',
    'remove',
    'scan',
    'history',
    'fields',
  ].map(inItems),
  'imports/zip',
  'imports',
  'maintenance',
  ...[
    'limits.ts',
    'models.ts',
    'handlers.ts',
    'field-routes.ts',
    'place-routes.ts',
    'chain.ts',
    'router.ts',
  ],
  'serve',
  'main.ts',
];

function inItems(room: string): string {
  return `items/${room}`;
}

test('a room of the application imports from itself and from lower floors only', () => {
  const roomOf = (file: string) => {
    const path = /^application\/(.+)$/.exec(file)?.[1] ?? null;
    return path === null || !path.includes('/') ? path : dirname(path);
  };
  const floors = ROOMS.map((room) => [room]);
  assert.deepEqual(upwards('application/', floors, roomOf), []);
});

/** Imports from a floor that is not lower, and files without a floor. Tests may import from everywhere. */
function upwards(
  folder: string,
  floors: readonly (readonly string[])[],
  roomOf: (file: string) => string | null,
): readonly string[] {
  const floorOf = (file: string) => {
    const room = roomOf(file);
    return room === null ? null : floors.findIndex((rooms) => rooms.includes(room));
  };
  return code
    .filter((file) => file.startsWith(folder) && !isTest(file))
    .flatMap((file) => {
      const floor = floorOf(file) ?? -1;
      if (floor === -1) return [`${file} is in no room`];
      return importsOf(file)
        .map((module) => resolveImport(file, module))
        .filter((target) => roomOf(target) !== roomOf(file) && (floorOf(target) ?? -1) >= floor)
        .map((target) => `${file} imports ${target}`);
    });
}

function isTest(file: string): boolean {
  return (
    /(\.test|\.types\.test|\.contract|\.fixture|\.program|\/tests)\.ts$/.test(file) ||
    /^application\/(testing|security)\//.test(file)
  );
}

test('the application uses the public entries of the framework only', () => {
  const inner = (target: string) => target.startsWith('framework/src/');
  const lines = offenders('application/', inner).filter((line) => !line.includes('.contract.ts'));
  assert.deepEqual(lines, []);
});

test('there is no import cycle, types included', () => {
  assert.deepEqual(findCircle(), []);
});

/** The files of one circle of imports, in their order; empty when there is none. */
function findCircle(): readonly string[] {
  const entries = new Map(readEntries().map(([name, file]) => [name, `framework/${file}`]));
  const done = new Set<string>();
  const visit = (file: string, path: readonly string[]): readonly string[] => {
    if (path.includes(file)) return path.slice(path.indexOf(file));
    if (done.has(file) || !existsSync(join(ROOT, file))) return [];
    for (const module of importsOf(file)) {
      const target = resolveImport(file, module);
      const circle = visit(entries.get(target) ?? target, [...path, file]);
      if (circle.length > 0) return circle;
    }
    done.add(file);
    return [];
  };
  for (const file of code) {
    const circle = visit(file, []);
    if (circle.length > 0) return circle;
  }
  return [];
}

test('every file starts with a comment', () => {
  const silent = code.filter(
    (file) => !file.endsWith('.test.ts') && !/^(#!.*\n)?\/\*\*/.test(readText(file)),
  );
  assert.deepEqual(silent, []);
});

test('no docstring of an export repeats six words of the opening comment of its file', () => {
  const runsOf = (comment = '') => {
    const words = comment.replaceAll(/\n\s*\*/g, ' ').match(/[\w`'<>]+/g) ?? [];
    return words.slice(5).map((_, index) => words.slice(index, index + 6).join(' '));
  };
  const repeated = code.flatMap((file) => {
    const [opening, ...others] =
      readText(file).match(/\/\*\*(?:(?!\*\/)[\s\S])*\*\/\n(?:export )?/g) ?? [];
    const known = new Set(runsOf(opening));
    const runs = others.filter((comment) => comment.endsWith('export ')).flatMap(runsOf);
    const run = runs.find((one) => known.has(one));
    return run === undefined ? [] : [`${file} repeats "${run}"`];
  });
  assert.deepEqual(repeated, []);
});

test('npm test or npm run test:release runs every test file once, by itself or in a file that runs all of its folder', () => {
  const { scripts } = JSON.parse(readText('package.json')) as { scripts: Record<string, string> };
  const listFiles = (phase: string) => {
    const patterns = [...(scripts[phase] ?? '').matchAll(/[^\s"=]+\.ts(?="|\s|$)/g)];
    const files = globSync(
      patterns.map(([pattern]) => pattern),
      { cwd: ROOT },
    );
    const folders = files.filter((file) => !file.endsWith('.test.ts')).map(dirname);
    return code.filter(
      (file) =>
        file.endsWith('.test.ts') &&
        (files.includes(file) ||
          (!file.endsWith('.release.test.ts') &&
            folders.some((folder) => file.startsWith(`${folder}/`)))),
    );
  };
  const run = ['test:sqlite', 'test:matrix', 'test:deploy'].flatMap(listFiles).sort();
  // The others run in the projects that create/create.test.ts makes of them.
  const all = code.filter(
    (file) => file.endsWith('.test.ts') && !file.startsWith('create/templates/'),
  );
  assert.deepEqual(run, all.sort());
});

test('every path in a document exists', () => {
  const missing = documents.flatMap((document) =>
    pathsIn(readText(document))
      .filter(
        (path) => !existsSync(join(ROOT, path)) && !existsSync(join(ROOT, dirname(document), path)),
      )
      .map((path) => `${document} names ${path}`),
  );
  assert.deepEqual(missing, []);
});

test('every script in a document exists', () => {
  const { scripts } = JSON.parse(readText('package.json')) as { scripts: Record<string, string> };
  const missing = documents.flatMap((document) =>
    [...readText(document).matchAll(/npm run ([\w:-]+)/g)]
      .map(([, name = '']) => name)
      .filter((name) => !(name in scripts))
      .map((name) => `${document} names npm run ${name}`),
  );
  assert.deepEqual(missing, []);
});

/** Links, and words in code style that look like paths of this project. */
function pathsIn(markdown: string): readonly string[] {
  const links = [...markdown.matchAll(/\]\(([^)#]+)(?:#[^)]*)?\)/g)].map(
    ([, target = '']) => target,
  );
  const words = [...markdown.matchAll(/`([^`\s]+)`/g)].map(([, word = '']) => word);
  const folders =
    /^(\.ci|application|create|deploy|docs|e2e|faults|framework|scripts)\/([\w./-]*)$/;
  const isPath = (word: string) =>
    folders.test(word) &&
    /(\/|\.(ts|md|css|cjs|json|conf|cfg|env|service|timer|sh)|file|\.ci\/run)$/.test(word);
  return [...links.filter((link) => !/^[a-z]+:/.test(link)), ...words.filter(isPath)];
}

test('a line of a comment fits in 120 columns', () => {
  const long = code.flatMap((file) =>
    readText(file)
      .split('\n')
      .flatMap((line, at) =>
        /^\s*(?:\/\*\*|\*|\/\/(?! biome-ignore| @ts-))/.test(line) && [...line].length > 120
          ? `${file}:${at + 1}`
          : [],
      ),
  );
  assert.deepEqual(long, []);
});
