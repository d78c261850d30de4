/**
 * The declarations of the framework, as `tsc` writes them, for the API report and the reference of the
 * documents. They are read as text: no name that an entry exports is declared in another way.
 */
import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

export interface Declaration {
  readonly name: string;
  /** The file of declarations. */
  readonly file: string;
  /** The text of the docstring, as Markdown; empty if there is none. */
  readonly docs: string;
  /** With the docstrings of its members. Overloads are one text. */
  readonly code: string;
}

/** What an entry exports, in alphabetical order. Throws if a name is declared in a way unknown here. */
export function readExports(entry: string): readonly Declaration[] {
  const lists = readFileSync(entry, 'utf8').matchAll(
    /^export (?:type )?\{([^}]*)\} from '([^']+)';/gm,
  );
  return [...lists]
    .flatMap(([, names = '', module = '']) => {
      const file = toFile(entry, module);
      const declarations = readDeclarations(file);
      return splitNames(names).map((name) => declarations.get(name) ?? notFound(name, file));
    })
    .sort((one, other) => (one.name < other.name ? -1 : 1));
}

/** What a type's name stands for in the file; null if no file of the framework declares it. */
export function findDeclaration(name: string, file: string): Declaration | null {
  const own = readDeclarations(file).get(name);
  if (own !== undefined) return own;
  const imports = readFileSync(file, 'utf8').matchAll(
    /^import (?:type )?\{([^}]*)\} from '(\.[^']+)';/gm,
  );
  for (const [, names = '', module = ''] of imports)
    if (splitNames(names).includes(name)) return findDeclaration(name, toFile(file, module));
  return null;
}

/** The same declaration may be exported by several entries. */
export function toKey({ name, file }: Declaration): string {
  return `${file} ${name}`;
}

/** A conditional type, or one over the names of another type. */
const COMPUTED = /^(?:export )?(?:declare )?type [\s\S]*(?: \? |\bkeyof\b)/;

/**
 * The types that the code names, and those that they name, unless an entry exports them. A type that computes
 * another one is left out: nobody writes such a value.
 */
export function findTypes(
  declaration: Declaration,
  exported: ReadonlySet<string>,
  levels = 3,
): ReadonlyMap<string, Declaration> {
  const found = new Map<string, Declaration>();
  let level = [declaration];
  for (let depth = 0; depth < levels; depth++) {
    const named = level.flatMap(({ code, file }) =>
      code
        .replaceAll(/\/\*[\s\S]*?\*\//g, '')
        .match(/\b[A-Z]\w*/g)
        ?.map((name) => findDeclaration(name, file)),
    );
    level = [];
    for (const type of named) {
      if (!type || type.name === declaration.name || found.has(type.name)) continue;
      if (COMPUTED.test(type.code)) continue;
      found.set(type.name, type);
      if (!exported.has(toKey(type))) level.push(type);
    }
  }
  return found;
}

function splitNames(list: string): readonly string[] {
  return list
    .split(',')
    .map((name) => name.replace('type ', '').trim())
    .filter((name) => name !== '');
}

function toFile(from: string, module: string): string {
  return join(dirname(from), module.replace(/\.ts$/, '.d.ts'));
}

const KEYWORDS = 'const|function|class|interface|type';
/** A docstring, and what it is for, up to the next statement of the file. */
const DECLARATION = new RegExp(
  String.raw`^(?:(\/\*\*[^\n]*\n(?: \*[^\n]*\n)*))?(?:export )?(?:declare )?(?:abstract )?(?:${KEYWORDS}) (\w+)[\s\S]*?(?=^(?:export|declare|import|${KEYWORDS}|\/\*\*|\/\/#)|$(?![\s\S]))`,
  'gm',
);

/** The declarations of a file by name, exported or not. */
function readDeclarations(file: string): ReadonlyMap<string, Declaration> {
  const found = new Map<string, Declaration>();
  for (const [text, comment = '', name = ''] of readFileSync(file, 'utf8').matchAll(DECLARATION)) {
    const code = text.slice(comment.length).replaceAll('    ', '  ').trim();
    const earlier = found.get(name);
    found.set(name, {
      name,
      file,
      docs: earlier?.docs || readComment(comment),
      code: earlier === undefined ? code : `${earlier.code}\n${code}`,
    });
  }
  return found;
}

/** The text of a docstring. */
export function readComment(comment: string): string {
  return comment.replaceAll(/^ ?(?:\/\*\*|\*\/|\* ?)| *\*\/$/gm, '').trim();
}

/** The first sentence of a docstring, on one line. */
export function firstSentence(docs: string): string {
  return docs.replaceAll('\n', ' ').split(/(?<=\.) /)[0] ?? '';
}

function notFound(name: string, file: string): never {
  throw new Error(`Cannot read ${name}: ${file} does not declare it at the start of a line.`);
}
