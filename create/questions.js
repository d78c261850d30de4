// @ts-check
/** Asks in the terminal for what the command line left open. An empty answer is the default. */
import { createInterface } from 'node:readline/promises';
import { DATABASES, DEFAULTS, impliedTemplate, TEMPLATES, toCrud } from './options.js';
import { Refusal } from './refusal.js';
import { WAY_NAMES } from './sign-in.js';

const NO_CRUD = { crud: undefined, one: undefined, fields: undefined };

const CRUD_QUESTIONS = /** @type {const} */ ([
  ['crud', 'The things, in the plural'],
  ['one', 'One of them'],
  ['fields', 'Their fields, as name:kind:label'],
]);

/**
 * @param {import('./options.js').Answers} given
 * @param {NodeJS.ReadableStream} input
 * @param {NodeJS.WritableStream} output
 * @param {import('./package-manager.js').Manager} manager
 * @returns {Promise<import('./options.js').Answers>}
 */
export async function ask(given, input, output, manager = 'npm') {
  const terminal = createInterface({ input, output });
  // Ctrl+C and Ctrl+D close it. A question would then wait for ever.
  const closed = new AbortController();
  terminal.on('close', () => closed.abort());

  /** @param {string} text */
  const question = async (text) => (await terminal.question(text, closed)).trim();

  /** @param {string} what @param {boolean} usual */
  const confirm = async (what, usual) => {
    for (;;) {
      const answer = (await question(`${what} (${usual ? 'Y/n' : 'y/N'}) `)).toLowerCase();
      if (answer === '') return usual;
      if (/^(y|yes|n|no)$/.test(answer)) return answer.startsWith('y');
      output.write('Answer y or n.\n');
    }
  };

  /**
   * @template {string} Name
   * @param {string} what
   * @param {readonly Name[]} names
   * @param {Name} usual
   */
  const choose = async (what, names, usual) => {
    const either = names.map((name, index) => `${index + 1} ${name}`).join(' or ');
    for (;;) {
      const answer = (await question(`${what}: ${either} (${usual}) `)).toLowerCase();
      if (answer === '') return usual;
      const chosen = find(names, answer);
      if (chosen !== undefined) return chosen;
      output.write(`Answer ${names.join(' or ')}, its number or its first letter.\n`);
    }
  };

  const chooseWays = async () => {
    const all = WAY_NAMES.map((name, index) => `${index + 1} ${name}`).join(', ');
    for (;;) {
      const answer = await question(`Ways to sign in besides a password: ${all} (none) `);
      const words = answer.toLowerCase().split(/[\s,]+/);
      const chosen = words.map((word) => (word === '' ? null : find(WAY_NAMES, word)));
      if (answer === 'none') return [];
      if (!chosen.includes(undefined)) return WAY_NAMES.filter((way) => chosen.includes(way));
      output.write(`Answer none, or ${WAY_NAMES.join(' or ')}, several with commas.\n`);
    }
  };

  /**
   * Each answer is checked at once, with those before it.
   * @param {import('./options.js').CrudAnswers} given
   */
  const askCrud = async (given) => {
    /** @type {import('./options.js').CrudAnswers} */
    let answers = { ...NO_CRUD };
    for (const [name, what] of CRUD_QUESTIONS) {
      for (;;) {
        const answer =
          given[name] ?? ((await question(`${what} (${DEFAULTS[name]}) `)) || undefined);
        try {
          toCrud({ ...answers, [name]: answer });
          answers = { ...answers, [name]: answer };
          break;
        } catch (error) {
          if (!(error instanceof Refusal) || given[name] !== undefined) throw error;
          output.write(`${error.message}\n`);
        }
      }
    }
    return answers;
  };

  try {
    const { seeother } = given;
    const directory =
      given.directory ?? ((await question(`Directory (${DEFAULTS.directory}) `)) || undefined);
    const template =
      given.template ??
      impliedTemplate(given) ??
      (await choose('Template', TEMPLATES, DEFAULTS.template));
    const signIn = given.signIn ?? (template === 'app' ? await chooseWays() : undefined);
    const isCrud = template === 'crud' || given.crud !== undefined;
    const crud = isCrud ? await askCrud(given) : {};
    const database = given.database ?? (await choose('Database', DATABASES, DEFAULTS.database));
    const install = given.install ?? (await confirm(`Run "${manager} install"?`, DEFAULTS.install));
    const git = given.git ?? (await confirm('Run "git init"?', DEFAULTS.git));
    const answers = { directory, template, signIn, database, install, git, seeother };
    return { ...NO_CRUD, ...answers, ...crud };
  } catch (error) {
    if (closed.signal.aborted) throw new Refusal('\nCancelled: nothing was created.');
    throw error;
  } finally {
    terminal.close();
  }
}

/**
 * By its number or its first letters; undefined if these are not those of one.
 * @template {string} Name
 * @param {readonly Name[]} names
 * @param {string} answer
 */
function find(names, answer) {
  const found = names.filter((name, index) => name.startsWith(answer) || `${index + 1}` === answer);
  return found.length === 1 ? found[0] : undefined;
}
