// @ts-check
/** Asks in the terminal for what the command line left open. An empty answer is the default. */
import { createInterface } from 'node:readline/promises';
import { DATABASES, DEFAULTS, TEMPLATES, toCrud } from './options.js';
import { Refusal } from './refusal.js';

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
      const chosen = names.filter(
        (name, index) => name.startsWith(answer) || `${index + 1}` === answer,
      );
      if (chosen.length === 1 && chosen[0] !== undefined) return chosen[0];
      output.write(`Answer ${names.join(' or ')}, its number or its first letter.\n`);
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
      (given.crud === undefined
        ? await choose('Template', TEMPLATES, DEFAULTS.template)
        : undefined);
    const isCrud = template === 'crud' || given.crud !== undefined;
    const crud = isCrud ? await askCrud(given) : {};
    const database = given.database ?? (await choose('Database', DATABASES, DEFAULTS.database));
    const install = given.install ?? (await confirm(`Run "${manager} install"?`, DEFAULTS.install));
    const git = given.git ?? (await confirm('Run "git init"?', DEFAULTS.git));
    return { ...NO_CRUD, directory, template, database, install, git, seeother, ...crud };
  } catch (error) {
    if (closed.signal.aborted) throw new Refusal('\nCancelled: nothing was created.');
    throw error;
  } finally {
    terminal.close();
  }
}
