#!/usr/bin/env node
// @ts-check
/**
 * `npm create seeother@latest notes`: writes a project, installs its packages and says how to start it.
 * It is JavaScript because Node runs no TypeScript in `node_modules`. It is checked by `tsc` all the same.
 */
import { spawnSync } from 'node:child_process';
import { join, relative, resolve } from 'node:path';
import { addCrud, isProject } from './crud.js';
import { requireNode } from './node-version.js';
import { HELP, parseOptions, toCrud, withDefaults } from './options.js';
import { toInstallArguments, toManager, toStartCommand } from './package-manager.js';
import { requirePackedFile, writeProject } from './project.js';
import { ask } from './questions.js';
import { Refusal } from './refusal.js';

const MANAGER = toManager(process.env['npm_config_user_agent']);

/** What a step that failed leaves to the user. */
const FAILED = {
  git: 'Cannot make a Git repository: "git init" failed. The project is complete; run it there yourself.',
  install: `Cannot install the packages: "${MANAGER} install" failed. The project is complete; run it there again.`,
};

async function main() {
  const given = parseOptions(process.argv.slice(2));
  if (given.help) {
    process.stdout.write(HELP);
    return;
  }
  requireNode();
  requirePackedFile(given.seeother);
  const place = resolve(given.directory ?? '.');
  if (given.crud !== undefined && isProject(place)) {
    addToProject(place, given);
    return;
  }
  const isAsked = !given.yes && process.stdin.isTTY === true && process.stdout.isTTY === true;
  const answers = isAsked ? await ask(given, process.stdin, process.stdout, MANAGER) : given;
  const options = withDefaults(answers);
  const { folder, name, files, isRenamed } = writeProject(options);
  process.stdout.write(`Created ${files} files in ${toPlace(folder)}.\n`);
  if (isRenamed) {
    process.stdout.write(
      `The package is named ${name}: npm does not accept the name of the directory.\n`,
    );
  }
  if (options.git) run('git', ['init', '--quiet'], folder, FAILED.git);
  if (options.install) run(MANAGER, toInstallArguments(MANAGER), folder, FAILED.install);
  process.stdout.write(toNextSteps(options, toPlace(folder)));
}

/** @param {string} folder */
function toPlace(folder) {
  return relative('', folder) || '.';
}

/**
 * @param {string} project
 * @param {import('./options.js').Given} given
 */
function addToProject(project, given) {
  const crud = toCrud(given);
  const { files, left } = addCrud(project, crud);
  process.stdout.write(`Created ${files} files in ${toPlace(join(project, crud.folder))}.\n`);
  process.stdout.write(
    left.length === 0
      ? `Registered in router.ts and database.ts: ${toStartCommand(MANAGER)} serves /${crud.folder}.\n`
      : `Left to do: ${left.join(', and ')}.\n`,
  );
}

/**
 * @param {string} command
 * @param {readonly string[]} args
 * @param {string} cwd
 * @param {string} advice
 */
function run(command, args, cwd, advice) {
  const shell = process.platform === 'win32';
  const { status } = spawnSync(command, args, { cwd, shell, stdio: 'inherit' });
  if (status === 0) return;
  process.stderr.write(`${advice}\n`);
  process.exitCode = 1;
}

/**
 * @param {import('./options.js').Options} options
 * @param {string} place
 */
function toNextSteps({ database, install, signIn }, place) {
  const steps = [
    ...(place === '.' ? [] : [`cd ${/^[\w./\\-]+$/.test(place) ? place : JSON.stringify(place)}`]),
    ...(install && process.exitCode === undefined ? [] : [`${MANAGER} install`]),
    ...(database === 'postgres' ? ['write the address of your database into .env'] : []),
    toStartCommand(MANAGER),
    ...(signIn.includes('passkeys') ? ['open http://localhost:8000: passkeys need a name'] : []),
  ];
  return `\nNext:\n${steps.map((step) => `  ${step}\n`).join('')}`;
}

try {
  await main();
} catch (error) {
  if (!(error instanceof Refusal)) throw error;
  process.stderr.write(`${error.message}\n`);
  process.exitCode = 1;
}
