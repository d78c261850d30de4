// @ts-check
/**
 * Reads `--fields "name:text:Name, price:money=USD:Price"`: for each field its name, its kind and its label. Without a
 * label the name is one, without a kind it is text. An exclamation mark behind the kind makes the field required.
 */
import { Refusal } from './refusal.js';

/**
 * @typedef {{ readonly name: string, readonly label: string, readonly kind: Kind, readonly detail: string, readonly required: boolean }} CrudField
 * @typedef {{
 *   readonly maker: string,
 *   readonly options: (detail: string) => readonly string[],
 *   readonly column: string,
 *   readonly sample: (detail: string) => string,
 *   readonly sort?: 'asc' | 'desc',
 *   readonly align?: boolean,
 *   readonly searched?: boolean,
 *   readonly isFile?: boolean,
 *   readonly detail?: { readonly example: string, readonly test: RegExp, readonly optional?: boolean },
 * }} Kind
 */

const NONE = () => [];
const TEXT_COLUMN = 'text not null';

/** @type {Readonly<Record<string, Kind>>} */
export const KINDS = {
  text: {
    ...{ maker: 'textField', options: () => ['maxLength: 200'], column: TEXT_COLUMN },
    ...{ sample: () => 'First', sort: 'asc', searched: true },
  },
  multiline: {
    ...{ maker: 'textField', options: () => ['maxLength: 10_000', 'multiline: true'] },
    ...{ column: TEXT_COLUMN, sample: () => 'Some text', searched: true },
  },
  number: {
    ...{ maker: 'wholeNumberField', options: () => ['min: 0', 'max: 1_000_000', 'default: null'] },
    ...{ column: 'integer', sample: () => '3', sort: 'desc', align: true },
  },
  decimal: {
    ...{ maker: 'decimalField', options: () => ['min: 0', 'max: 1_000_000', "step: '0.01'"] },
    ...{ column: 'numeric', sample: () => '1.50', sort: 'desc', align: true },
  },
  money: {
    ...{ maker: 'moneyField', options: (code) => [`currency: ${quote(code || 'EUR')}`] },
    ...{ column: 'bigint', sample: () => '12', sort: 'desc', align: true },
    detail: { example: 'USD', test: /^[A-Z]{3}$/, optional: true },
  },
  date: {
    ...{ maker: 'dateField', options: NONE, column: 'text' },
    ...{ sample: () => '2026-11-23', sort: 'asc' },
  },
  time: {
    ...{ maker: 'timeField', options: NONE, column: 'text', sample: () => '14:30', sort: 'asc' },
  },
  datetime: {
    ...{ maker: 'dateTimeField', options: (zone) => [`zone: ${quote(zone)}`], column: 'text' },
    ...{ sample: () => '2026-11-23T14:30', sort: 'asc' },
    detail: { example: 'Europe/Berlin', test: /^[A-Za-z]+(?:[/_+-][A-Za-z0-9]+)*$/ },
  },
  choice: {
    maker: 'choiceField',
    options: (choices) => {
      const lines = toChoices(choices).map(
        (one) => `\n  { value: ${quote(one)}, label: ${quote(one)} },`,
      );
      return [`choices: [${lines.join('')}\n]`];
    },
    ...{ column: TEXT_COLUMN, sample: (choices) => toChoices(choices)[0] ?? '', sort: 'asc' },
    detail: { example: 'new|used|broken', test: /[^|\s]/ },
  },
  checkbox: {
    ...{ maker: 'checkboxField', options: NONE, column: 'integer not null' },
    ...{ sample: () => 'on', sort: 'desc' },
  },
  email: {
    ...{ maker: 'emailField', options: NONE, column: 'text', searched: true },
    ...{ sample: () => 'name@example.com', sort: 'asc' },
  },
  url: {
    ...{ maker: 'urlField', options: NONE, column: 'text', searched: true },
    sample: () => 'https://example.com/',
  },
  telephone: {
    ...{ maker: 'telephoneField', options: NONE, column: 'text', searched: true },
    sample: () => '01632 960 001',
  },
  file: {
    ...{ maker: 'fileField', column: 'text', sample: () => 'first.txt', isFile: true },
    options: (accept) => [
      'maxSize: 10_000_000',
      ...(accept === '' ? [] : [`accept: [${toChoices(accept).map(quote).join(', ')}]`]),
    ],
    detail: { example: '.pdf|.jpg', test: /^\.\w+(?:\|\.\w+)*$/, optional: true },
  },
};

/**
 * The box that removes the stored file of a field.
 * @param {Pick<CrudField, 'name'>} field
 */
export function toRemoveName({ name }) {
  return `remove${name.charAt(0).toUpperCase()}${name.slice(1)}`;
}

/** @param {string} choices */
function toChoices(choices) {
  return [...new Set(choices.split('|').map((one) => one.trim()))].filter((one) => one !== '');
}

/** As of a form: the compiler and the framework know these names. */
const NAME = /^[a-z][A-Za-z0-9]*(?:_[A-Za-z0-9]+)*$/;

/** Columns that each table has. */
const OWN = ['id', 'version', 'deletedat', 'isdeleted'];

/**
 * @param {string} text
 * @returns {readonly [CrudField, ...CrudField[]]}
 */
export function parseFields(text) {
  const fields = text.split(',').map((one) => parseField(one.trim()));
  const [first] = fields;
  if (first?.kind !== KINDS['text']) {
    throw new Refusal(
      `Cannot use ${JSON.stringify(first?.name)} as the first field: it names each one, in the list and on its page, so its kind is text.`,
    );
  }
  const known = new Set(OWN);
  const boxes = fields.filter(({ kind }) => kind.isFile).map((field) => toRemoveName(field));
  for (const name of [...fields.map((field) => field.name), ...boxes]) {
    // Two names that differ in capitals and underscores alone are one for a form, and for some databases.
    const key = name.toLowerCase().replaceAll('_', '');
    if (known.has(key)) {
      throw new Refusal(
        `Cannot use the field ${JSON.stringify(name)}: ${OWN.includes(key) ? 'each table has a column of this name already' : 'there are two of this name'}. Choose another name.`,
      );
    }
    known.add(key);
  }
  return [{ .../** @type {CrudField} */ (first), required: true }, ...fields.slice(1)];
}

/** @param {string} text */
function parseField(text) {
  const [, name = '', kind = 'text', given = ''] =
    /^([^:]*?)\s*(?::\s*([^:]*?)\s*(?::\s*(.*))?)?$/s.exec(text) ?? [];
  const cannot = `Cannot read the field ${JSON.stringify(text)}`;
  if (!NAME.test(name)) {
    throw new Refusal(
      `${cannot}: write name:kind:label, with a name like price, boughtOn or bought_on.`,
    );
  }
  const [, kindName = '', detail = '', mark] = /^([a-z]*)(?:=([^!]*))?(!?)$/.exec(kind) ?? [];
  const found = Object.hasOwn(KINDS, kindName) ? KINDS[kindName] : undefined;
  if (found === undefined) {
    throw new Refusal(
      `${cannot}: there is no kind ${JSON.stringify(kind)}. Choose ${Object.keys(KINDS).join(', ')}.`,
    );
  }
  const wanted = found.detail;
  const isFit = detail === '' ? !wanted || wanted.optional : wanted?.test.test(detail);
  if (!isFit) {
    throw new Refusal(
      wanted === undefined
        ? `${cannot}: the kind ${kindName} takes nothing behind "=".`
        : `${cannot}: write ${kindName}=${wanted.example}.`,
    );
  }
  const label = given || toWords(name);
  if (/\p{Cc}/u.test(label) || label.length > 200)
    throw new Refusal(`${cannot}: a label has one line of at most 200 characters.`);
  return { name, label, kind: found, detail, required: mark === '!' };
}

/**
 * `bought_on` and `boughtOn` are `Bought on`.
 * @param {string} name
 */
function toWords(name) {
  const words = name
    .replaceAll('_', ' ')
    .replace(/(?<=[a-z0-9])(?=[A-Z])/g, ' ')
    .toLowerCase();
  return words.charAt(0).toUpperCase() + words.slice(1);
}

/**
 * As the code of a project writes text.
 * @param {string} text
 */
export function quote(text) {
  const escaped = text.replaceAll('\\', '\\\\');
  return text.includes("'") && !text.includes('"')
    ? `"${escaped}"`
    : `'${escaped.replaceAll("'", "\\'")}'`;
}
