// @ts-check
/** What the command line says. What it leaves open is undefined, so that only this is asked. */
import { parseArgs } from 'node:util';
import { KINDS } from './crud-fields.js';
import { parseCrud } from './crud-names.js';
import { Refusal } from './refusal.js';
import { parseWays } from './sign-in.js';

/**
 * @typedef {'form' | 'app' | 'crud'} Template
 * @typedef {'sqlite' | 'postgres'} Database
 * @typedef {{
 *   readonly directory: string,
 *   readonly template: Template,
 *   readonly database: Database,
 *   readonly signIn: readonly import('./sign-in.js').Way[],
 *   readonly install: boolean,
 *   readonly git: boolean,
 *   readonly seeother: string | undefined,
 *   readonly crud: import('./crud-names.js').Crud | null,
 * }} Options
 * @typedef {{ readonly [Name in 'crud' | 'one' | 'fields']: string | undefined }} CrudAnswers
 * @typedef {CrudAnswers & { readonly [Name in Exclude<keyof Options, 'crud'>]: Options[Name] | undefined }} Answers
 * @typedef {Answers & { readonly yes: boolean, readonly help: boolean }} Given
 */

/** @type {readonly Template[]} */
export const TEMPLATES = ['form', 'app', 'crud'];

/** @type {readonly Database[]} */
export const DATABASES = ['sqlite', 'postgres'];

/** @type {Omit<Options, 'crud'> & { readonly crud: string, readonly one: string, readonly fields: string }} */
export const DEFAULTS = {
  directory: 'seeother-site',
  template: 'form',
  database: 'sqlite',
  signIn: [],
  install: true,
  git: false,
  seeother: undefined,
  crud: 'things',
  one: 'entry',
  fields: 'name:text:Name, note:multiline:Note',
};

/** The kinds of fields, in lines as long as those of the help. */
const KINDS_IN_LINES = Object.keys(KINDS)
  .join(', ')
  .replace(/(.{1,60})(?: |$)/g, `${' '.repeat(30)}$1\n`)
  .trimEnd();

export const HELP = `Creates a project with Seeother: a page with a form that counts once, or an application with accounts.

  npm create seeother@latest [directory] -- [options]

  --template form|app|crud    one page with a form; a list of items to add, change, delete
                              and search, with accounts; or the pages of --crud (form)
  --crud NAME                 a list of things by this name, in the plural, with pages to add,
                              change, delete and search them, and tests. In the directory of a
                              project it adds them to the project
  --one NAME                  what one of them is called (entry)
  --fields FIELDS             their fields: "name:text:Name, price:money=EUR:Price". Kinds:
${KINDS_IN_LINES}.
                              An exclamation mark behind the kind makes a field required:
                              "price:money!, state:choice=wood|metal!"
  --sign-in WAYS              how users of app sign in besides with a password: link (by mail),
                              codes (of an authenticator app, as a second factor), passkeys,
                              company (by OpenID Connect); several with commas (none)
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
  const { template, database, install, git, seeother, crud, one, fields } = values;
  const { yes = false, help = false } = values;
  const signIn = values['sign-in'] === undefined ? undefined : parseWays(values['sign-in']);
  if (signIn !== undefined && template !== undefined && template !== 'app') {
    throw new Refusal(
      `Cannot use --sign-in with the template ${JSON.stringify(template)}: only app has accounts.`,
    );
  }
  return {
    directory,
    template: template === undefined ? undefined : choose('template', TEMPLATES, template),
    database: database === undefined ? undefined : choose('database', DATABASES, database),
    signIn,
    install,
    git,
    seeother,
    crud,
    one,
    fields,
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
        'sign-in': { type: 'string' },
        install: { type: 'boolean' },
        git: { type: 'boolean' },
        seeother: { type: 'string' },
        crud: { type: 'string' },
        one: { type: 'string' },
        fields: { type: 'string' },
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
export function withDefaults(answers) {
  const { directory, template, database, signIn, install, git, seeother, ...crud } = answers;
  const isCrud = crud.crud !== undefined || template === 'crud';
  return {
    directory: directory ?? DEFAULTS.directory,
    template: template ?? impliedTemplate(answers) ?? DEFAULTS.template,
    database: database ?? DEFAULTS.database,
    signIn: signIn ?? DEFAULTS.signIn,
    install: install ?? DEFAULTS.install,
    git: git ?? DEFAULTS.git,
    seeother,
    crud: isCrud ? toCrud(crud) : null,
  };
}

/**
 * Undefined if the other options say nothing of it.
 * @param {Pick<Answers, 'crud' | 'signIn'>} answers
 * @returns {Template | undefined}
 */
export function impliedTemplate({ crud, signIn }) {
  if (signIn !== undefined) return 'app';
  return crud === undefined ? undefined : 'crud';
}

/** @param {CrudAnswers} answers */
export function toCrud({ crud = DEFAULTS.crud, one = DEFAULTS.one, fields = DEFAULTS.fields }) {
  return parseCrud(crud, one, fields);
}
