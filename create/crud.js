// @ts-check
/**
 * Writes the folder of `--crud`, and registers it in a project. The files of `templates/things` are those of the folder,
 * with other names; `fields.ts` is written from the fields.
 */
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { chooseLines } from './choose-lines.js';
import { quote, toRemoveName } from './crud-fields.js';
import { addFileStore, hasFiles, isRemovable, withImport } from './crud-files.js';
import { Refusal } from './refusal.js';

/** @typedef {import('./crud-names.js').Crud} Crud */

const TEMPLATES = join(import.meta.dirname, 'templates');
const TEMPLATE = join(TEMPLATES, 'things');

/** Whether the directory has a project that this command can add to. */
export function isProject(/** @type {string} */ folder) {
  const file = join(folder, 'package.json');
  if (!existsSync(file) || !existsSync(join(folder, 'router.ts'))) return false;
  return readFileSync(file, 'utf8').includes('"seeother"');
}

/**
 * Adds the folder to a project. Resolves to what is left to do by hand, by its file.
 * @param {string} project
 * @param {Crud} crud
 */
export function addCrud(project, crud) {
  requireFree(project, crud);
  const files = writeCrud(project, crud);
  const left = register(project, crud);
  return { files, left: hasFiles(crud) ? [...left, ...addFileStore(project)] : left };
}

/**
 * Resolves to the number of files.
 * @param {string} project
 * @param {Crud} crud
 */
export function writeCrud(project, crud) {
  const folder = join(project, crud.folder);
  mkdirSync(folder, { recursive: true });
  const marks = {
    accounts: existsSync(join(project, 'accounts.ts')),
    files: hasFiles(crud),
    removable: crud.fields.some(isRemovable),
  };
  const names = readdirSync(TEMPLATE);
  for (const name of names) {
    const text = readFileSync(join(TEMPLATE, name), 'utf8');
    const chosen = chooseLines(marks.files ? withFiles(text) : text, marks);
    const written = rename(chosen, crud);
    writeFileSync(join(folder, name.replace('things', crud.folder)), written);
  }
  writeFileSync(join(folder, 'fields.ts'), rename(writeFields(crud), crud));
  const styles = join(project, 'public', 'list.css');
  if (existsSync(styles)) return names.length + 1;
  copyFileSync(join(TEMPLATES, 'list.css'), styles);
  return names.length + 2;
}

/**
 * The text of a template with the names of the things.
 * @param {string} text
 * @param {Crud} crud
 */
export function rename(text, { folder, table, all, one, codeOfAll, codeOfOne, fields }) {
  const capital = (/** @type {string} */ word) => word.charAt(0).toUpperCase() + word.slice(1);
  const camel = codeOfOne.charAt(0).toLowerCase() + codeOfOne.slice(1);
  const upper = (/** @type {string} */ name) =>
    name.replace(/(?<=[a-z0-9])(?=[A-Z])/g, '_').toUpperCase();
  const [first] = fields;
  const files = fields.filter(({ kind }) => kind.isFile);
  const sample = fields
    .filter(({ kind }) => !kind.isFile)
    .map(({ name, kind, detail }) => `${name}: ${quote(kind.sample(detail))}`);
  const chosen = files.map(({ name }) => `${name}: new File(['A file'], 'first.txt')`);
  const removable = files.filter(isRemovable);
  const removed = removable.map((field) => `${field.name}: values.${toRemoveName(field)}`);
  return text
    .replaceAll('«things»', all)
    .replaceAll('«Things»', capital(all))
    .replaceAll('«thing»', one)
    .replace(/const SAMPLE = \{.*\};/, () => `const SAMPLE = { ${sample.join(', ')} };`)
    .replace(/const CHOSEN = \{.*\};/, () => `const CHOSEN = { ${chosen.join(', ')} };`)
    .replace('REMOVED', () => (removed.length === 0 ? '' : `, remove: { ${removed.join(', ')} }`))
    .replaceAll('REMOVE_BOX', removable[0] ? toRemoveName(removable[0]) : '')
    .replaceAll('FIRST_FILE', (removable[0] ?? files[0])?.name ?? '')
    .replaceAll('FIRST_FIELD', first.name)
    .replaceAll('"things"', `"${table}"`)
    .replace(/(?<=\/|`)things(?=[/.'"`?,]|\.)/g, folder)
    .replace(/(?<=')things(?=\.csv)/g, folder)
    .replace(/(?<=_)THINGS/g, upper(codeOfAll))
    .replaceAll('THING_ROUTES', `${upper(codeOfOne)}_ROUTES`)
    .replaceAll('Things', codeOfAll)
    .replaceAll('Thing', codeOfOne)
    .replace(/\bthing(?=[A-Z])/g, camel);
}

/** @param {string} text */
function withFiles(text) {
  return text
    .replace(
      /async send\(\{ (?:params: \{ id \}, )?values, transaction \}\) \{/g,
      'async send(context) {',
    )
    .replace(
      'addThing(transaction, values)',
      'addThing(context.transaction, await keepFiles(thingForm, context))',
    )
    .replace(
      'changeThing(transaction, id, values)',
      'changeThing(transaction, id, { ...record, version: values.version })',
    );
}

/** @param {import('./crud-fields.js').CrudField} field */
function writeField({ name, label, kind, detail, required }) {
  const options = [
    `label: ${quote(label)}`,
    ...(required ? [`required: ${quote(`${label} is missing`)}`] : []),
    ...kind.options(detail),
  ];
  return fit(`  ${name}: ${kind.maker}({`, options, '}),');
}

/** @param {Crud} crud */
function writeFields({ fields }) {
  const makers = new Set(fields.map(({ kind }) => kind.maker)).add('searchField');
  const lines = fields.map(writeField);
  const files = fields.filter(({ kind }) => kind.isFile);
  if (files.some(isRemovable)) makers.add('checkboxField');
  const values = files.length === 0 ? 'FormValues' : 'RecordValues';
  const columns = fields.flatMap(({ name, kind }, index) => {
    if (kind.maker === 'textField' && kind.sort === undefined) return [];
    const options = [
      `field: fields.${name}`,
      ...(kind.sort === undefined ? [] : [`sort: '${kind.sort}'`]),
      ...(kind.align ? [`align: 'end'`] : []),
      ...(index === 0 ? [`link: ({ id }) => href('/things/:id<int>', { id })`] : []),
    ];
    return fit(`    ${name}: {`, options, '},');
  });
  const searched = fields.filter(({ kind }) => kind.searched).map(({ name }) => quote(name));
  const table = fields.map(({ name, kind }) => `  "${name}" ${kind.column}`);
  return `/**
 * What «things» have: the fields of their forms and pages, the columns of the list and of the table. The statements
 * follow from the fields. A new field is a line here, and \`alter table\` as another entry of the migrations.
 */
import { defineForm, defineList, type ${values} } from 'seeother';
${fit('import {', [...makers].sort(), "} from 'seeother/fields';")}
import { KEY } from '../open-database.ts';
import { href } from './links.ts';

export const thingForm = defineForm({
${lines.join('\n')}
});

const { fields } = thingForm;

export interface Thing extends ${values}<typeof fields> {
  readonly id: number;
  /** Another one after each change. */
  readonly version: number;
  readonly isDeleted: boolean;
}

export const thingList = defineList<Thing>()({
  columns: {
${columns.join('\n')}
  },
  filter: defineForm({ q: searchField({ label: 'Search', maxLength: 100 }) }),
  order: '${fields[0].name}',
});

${files.length === 0 ? '' : writeFiles(files)}/** Where a search looks. */
export const SEARCHED = [${searched.join(', ')}] as const;

/** A migration: do not change it once it has run anywhere. */
export const CREATE_THINGS = \`create table if not exists "things" (
  id \${KEY},
  version integer not null default 1,
  deleted_at text,
${table.join(',\n')}
)\`;
`;
}

/** @param {readonly import('./crud-fields.js').CrudField[]} files */
function writeFiles(files) {
  const lines = files.map((field) =>
    isRemovable(field)
      ? fit(
          `  ${toRemoveName(field)}: checkboxField({`,
          [`label: ${quote(`Remove ${field.label}`)}`],
          '}),',
        )
      : writeField({ ...field, required: false }),
  );
  return `/** The fields with a file. */
export const FILES = [${files.map(({ name }) => quote(name)).join(', ')}] as const;

/** Those of the form that changes one: a file stays, unless another one is chosen or its box is ticked. */
export const changeFields = {
  ...fields,
${lines.join('\n')}
};

`;
}

/**
 * A list within its marks, in one line if it is not too long.
 * @param {string} start
 * @param {readonly string[]} items
 * @param {string} end
 */
function fit(start, items, end) {
  const line = `${start} ${items.join(', ')} ${end}`;
  if (line.length <= 100 && !line.includes('\n')) return line;
  const margin = ' '.repeat(start.search(/\S/));
  const lines = items.map((item) => `${margin}  ${item.replaceAll('\n', `\n${margin}  `)},\n`);
  return `${start}\n${lines.join('')}${margin}${end}`;
}

/** Those that the router of a project with accounts does not name. */
const PAGES_OF_ACCOUNTS = "'/register' '/password/' '/mail-sent'";

/**
 * @param {string} project
 * @param {Crud} crud
 */
function requireFree(project, { folder, table }) {
  if (existsSync(join(project, folder))) {
    throw new Refusal(
      `Cannot add ${folder}: the project has a file or a directory of this name. Choose another name.`,
    );
  }
  const code = readdirSync(project)
    .filter((name) => name.endsWith('.ts'))
    .map((name) => readFileSync(join(project, name), 'utf8'))
    .join('\n');
  const routes = existsSync(join(project, 'accounts.ts')) ? PAGES_OF_ACCOUNTS : '';
  const taken = new RegExp(
    `create table (?:if not exists )?"?${table}\\b|['"](?:GET )?/${folder}(?:['"/])`,
  ).exec(code + routes);
  if (taken !== null) {
    throw new Refusal(
      `Cannot add ${folder}: the project has ${taken[0].startsWith('create') ? 'a table of this name' : `the address /${folder}`} already. Choose another name.`,
    );
  }
}

/**
 * Where a folder is registered, in the files as this command wrote them: `edit` adds the line. One that has no place for
 * it is left alone.
 * @type {readonly { readonly file: string, readonly imports?: string, readonly line: string, readonly isNeeded?: boolean, readonly edit: (text: string, line: string) => string }[]}
 */
const EDITS = [
  {
    ...{ file: 'database.ts', imports: 'fields.ts', line: 'CREATE_THINGS', isNeeded: true },
    edit: (text, line) =>
      text.includes('const MIGRATIONS = [')
        ? text
            .replace(/(const MIGRATIONS = \[[^\n]+)\];\n/, `$1, ${line}];\n`)
            .replace(/(const MIGRATIONS = \[\n[\s\S]*?\n)\];\n/, `$1  ${line},\n];\n`)
        : text.replace(
            /(export async function migrate\([\s\S]*?\n)\}\n/,
            `$1  await run(${line});\n}\n`,
          ),
  },
  {
    ...{ file: 'router.ts', imports: 'routes.ts', line: 'addThings', isNeeded: true },
    edit: (text, line) =>
      text.replace(
        /^ {2}return site;$/m,
        `  ${line}(site, database${/^ {2}const accounts = /m.test(text) ? ', accounts' : ''});\n$&`,
      ),
  },
  {
    ...{ file: 'links.ts', imports: 'links.ts', line: 'THING_ROUTES' },
    edit: (text, line) => text.replace(/^\] as const;$/m, `  ...${line},\n$&`),
  },
  {
    ...{ file: 'layout.ts', line: '<a href="/things">«Things»</a>' },
    edit: (text, line) => text.replace(/^<nav>\n(?:<a .*<\/a>\n)+/m, `$&${line}\n`),
  },
  {
    ...{ file: 'layout.ts', line: '<link rel="stylesheet" href="/list.css">' },
    edit: (text, line) =>
      text.includes(line)
        ? text
        : text.replace('<link rel="stylesheet" href="/styles.css">', `$&\n${line}`),
  },
];

/**
 * Resolves to what is left to do by hand, as sentences.
 * @param {string} project
 * @param {Crud} crud
 */
function register(project, crud) {
  return EDITS.flatMap(({ file, imports, line, isNeeded = false, edit }) => {
    const path = join(project, file);
    const text = existsSync(path) ? readFileSync(path, 'utf8') : '';
    const name = rename(line, crud);
    const from = `./${crud.folder}/${imports}`;
    const edited = edit(text, name);
    if (edited === text) return isNeeded ? [`use ${name} of ${from} in ${file}`] : [];
    const statement = `import { ${name} } from '${from}';`;
    writeFileSync(path, imports === undefined ? edited : withImport(edited, statement));
    return [];
  });
}
