// @ts-check
/** What the command line says. What it leaves open is undefined, so that only this is asked. */
import { parseArgs } from 'node:util';

/**
 * @typedef {'form' | 'app'} Template
 * @typedef {'sqlite' | 'postgres'} Database
 * @typedef {{
 *   readonly directory: string,
 *   readonly template: Template,
 *   readonly database: Database,
 *   readonly install: boolean,
 *   readonly git: boolean,
 *   readonly seeother: string | undefined,
 * }} Options
 * @typedef {{ readonly [Name in keyof Options]: Options[Name] | undefined }} Answers
 * @typedef {Answers & { readonly yes: boolean, readonly help: boolean }} Given
 */

/** What cannot be done, with the remedy: the user needs no stack. */
export class Refusal extends Error {}

/** @type {readonly Template[]} */
export const TEMPLATES = ['form', 'app'];

/** @type {readonly Database[]} */
export const DATABASES = ['sqlite', 'postgres'];

/** @type {Options} */
export const DEFAULTS = {
  directory: 'seeother-site',
  template: 'form',
  database: 'sqlite',
  install: true,
  git: false,
  seeother: undefined,
};

export const HELP = `Creates a project with Seeother: a page with a form that counts once, or an application with accounts.

  npm create seeother@latest [directory] -- [options]

  --template form|app         one page with a form, or a list of items to add, change, delete
                              and search, with accounts (form)
  --database sqlite|postgres  where the project keeps its data (sqlite)
  --install, --no-install     whether to install the packages in it (yes)
  --git, --no-git             whether to run "git init" in it (no)
  --seeother VERSION          a version or a packed file of seeother instead of the newest
  --yes                       ask nothing: take the value in brackets for what is not given
  --help                      show this

In a terminal it asks for what is not given. Without one it asks nothing.
`;

/**
 * @param {readonly string[]} args
 * @returns {Given}
 */
export function parseOptions(args) {
  const { values, positionals } = parse(args);
  const [directory, ...more] = positionals;
  if (more.length > 0) {
    throw new Refusal(
      `Cannot create more than one project: ${positionals.map((name) => JSON.stringify(name)).join(' and ')} are given. Put a name with spaces in quotation marks.`,
    );
  }
  const { template, database, install, git, seeother, yes = false, help = false } = values;
  return {
    directory,
    template: template === undefined ? undefined : choose('template', TEMPLATES, template),
    database: database === undefined ? undefined : choose('database', DATABASES, database),
    install,
    git,
    seeother,
    yes,
    help,
  };
}

/** @param {readonly string[]} args */
function parse(args) {
  try {
    return parseArgs({
      args: [...args],
      allowPositionals: true,
      allowNegative: true,
      options: {
        template: { type: 'string' },
        database: { type: 'string' },
        install: { type: 'boolean' },
        git: { type: 'boolean' },
        seeother: { type: 'string' },
        yes: { type: 'boolean', short: 'y' },
        help: { type: 'boolean', short: 'h' },
      },
    });
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    // Node's advice after the first sentence is for other commands.
    const [reason = ''] = error.message.split(/\.(?=\s|$)/);
    throw new Refusal(`Cannot read the command: ${reason}. --help lists the options.`);
  }
}

/**
 * @template {string} Name
 * @param {string} what
 * @param {readonly Name[]} names
 * @param {string} text
 * @returns {Name}
 */
function choose(what, names, text) {
  const chosen = names.find((name) => name === text);
  if (chosen !== undefined) return chosen;
  throw new Refusal(
    `Cannot use the ${what} ${JSON.stringify(text)}: choose ${names.join(' or ')}.`,
  );
}

/**
 * @param {Answers} answers
 * @returns {Options}
 */
export function withDefaults({ directory, template, database, install, git, seeother }) {
  return {
    directory: directory ?? DEFAULTS.directory,
    template: template ?? DEFAULTS.template,
    database: database ?? DEFAULTS.database,
    install: install ?? DEFAULTS.install,
    git: git ?? DEFAULTS.git,
    seeother,
  };
}
