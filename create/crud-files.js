// @ts-check
/** What the files of `--crud` need in a project besides their fields: a folder, and the package that reads them. */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** That with which the templates are tested. */
const PARSER = { '@fastify/busboy': '^3.2.0' };

/** @param {import('./crud-names.js').Crud} crud */
export function hasFiles({ fields }) {
  return fields.some(({ kind }) => kind.isFile);
}

/** @param {import('./crud-fields.js').CrudField} field */
export function isRemovable({ kind, required }) {
  return kind.isFile === true && !required;
}

/**
 * Keeps the files in a folder beside the database. Resolves to what is left to do by hand, as sentences.
 * @param {string} project
 */
export function addFileStore(project) {
  edit(join(project, '.gitignore'), (text) =>
    text.includes('storage/') ? text : `${text}storage/\n`,
  );
  const isAdded = edit(join(project, 'package.json'), addParser);
  const makers = ['router.ts', 'accounts.ts'].map((file) => join(project, file));
  for (const maker of makers) edit(maker, withStore);
  const isStored = makers.some(
    (maker) => existsSync(maker) && readFileSync(maker, 'utf8').includes('fileStore'),
  );
  return [
    ...(isStored
      ? []
      : ["pass { fileStore: createFolder('storage') } to createStores in router.ts"]),
    ...(isAdded ? ['install the packages that package.json names now'] : []),
  ];
}

/** @param {string} text */
function addParser(text) {
  const all = JSON.parse(text);
  if ('@fastify/busboy' in all.dependencies) return text;
  const dependencies = { ...PARSER, ...all.dependencies };
  return `${JSON.stringify({ ...all, dependencies }, null, 2)}\n`;
}

/** Stands before what makes the stores. */
const STORE = `  const { DATABASE_FILE = 'data.db' } = process.env;
  const { FILES_FOLDER = join(dirname(DATABASE_FILE), 'storage') } = process.env;
`;

/** @param {string} text */
function withStore(text) {
  const stored = text
    .replace(
      /^ {2}const site = createSite\(createStores\(database\)/m,
      `${STORE}  const stores = createStores(database, { fileStore: createFolder(FILES_FOLDER) });
  const site = createSite(stores`,
    )
    .replace(
      /^( {2}return createAccounts\(database, \{\n)/m,
      `${STORE}$1    stores: { fileStore: createFolder(FILES_FOLDER) },\n`,
    );
  if (text.includes('fileStore') || stored === text) return text;
  const imported = withImport(stored, "import { createFolder } from 'seeother/files';");
  return withImport(imported, "import { dirname, join } from 'node:path';");
}

/**
 * Whether the file has another text now.
 * @param {string} path
 * @param {(text: string) => string} change
 */
function edit(path, change) {
  if (!existsSync(path)) return false;
  const text = readFileSync(path, 'utf8');
  const changed = change(text);
  if (changed !== text) writeFileSync(path, changed);
  return changed !== text;
}

/**
 * @param {string} text
 * @param {string} statement
 */
export function withImport(text, statement) {
  const last = [...text.matchAll(/^(?:import |\} from ).*;$/gm)].at(-1);
  const end = last === undefined ? 0 : last.index + last[0].length;
  return `${text.slice(0, end)}\n${statement}${text.slice(end)}`;
}
