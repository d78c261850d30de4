/**
 * A field with a file, or with several: `<input type="file">`, and the files that were chosen before the form was
 * refused.
 */
import { type Attributes, writeAttributes } from '../field/attributes.ts';
import {
  type DrawnControl,
  defineField,
  FIELD_KINDS,
  type FieldOptions,
  type FieldText,
  type Given,
  ok,
  type Parsed,
  problem,
} from '../field/field.ts';
import { parseFileText, type StoredFile } from '../field/file-text.ts';
import type { Receive } from '../field/received-form.ts';
import { CHANGE, toChange } from '../form/change-form.ts';
import { cutText } from '../form/cut-text.ts';
import {
  COUNT,
  checkOptions,
  LIST,
  needed,
  type OptionKind,
  type OptionKinds,
  oneOf,
} from '../http/check-options.ts';
import { type Html, html } from '../http/html.ts';
import { english } from '../language/english.ts';
import type { Language } from '../language/language.ts';
import { loadDetector } from './detect-type.ts';
import { MAX_NAME_LENGTH } from './files.ts';
import { requireParser } from './receive-parts.ts';
import type { FileField, FilesField } from './receiving-field.ts';
import { ReceivedFile, type UploadedFile } from './uploaded-file.ts';

export interface FileOptions extends Omit<FieldOptions, 'default'> {
  /** In bytes. */
  readonly maxSize: number;
  /**
   * The media types that are accepted, such as `['application/pdf', 'text/csv']`, found by the content. It needs the
   * package `file-type`. Without it, every content is accepted.
   */
  readonly types?: readonly string[];
  /**
   * What the browser offers, such as `['.csv', 'text/csv']`; by default the types. It keeps nobody from sending
   * something else.
   */
  readonly accept?: readonly string[];
  /** A telephone opens its camera instead of its files: the one that faces the user, or the other one. */
  readonly capture?: 'user' | 'environment';
}

export interface FilesOptions extends FileOptions {
  /** The most files of one form. */
  readonly maxFiles: number;
}

const SIZE: OptionKind = {
  noun: 'a whole number of bytes',
  accepts: (value) => COUNT.accepts(value) && value !== 0,
};

const { default: _, ...KINDS } = FIELD_KINDS;
const FILE_KINDS = {
  ...KINDS,
  maxSize: needed(SIZE, '10_000_000'),
  types: LIST,
  accept: LIST,
  capture: oneOf('user', 'environment'),
} satisfies OptionKinds<FileOptions>;
const FILES_KINDS = {
  ...FILE_KINDS,
  maxFiles: needed({ ...SIZE, noun: 'a whole number from 1' }, '10'),
} satisfies OptionKinds<FilesOptions>;

let isUsed = false;

/** Whether the process has made a field with a file: otherwise its sites have no files to remove. */
export function hasFileFields(): boolean {
  return isUsed;
}

/** Without `required`, the value may also be null. An empty file is an error. */
export function fileField(
  options: FileOptions & { readonly required: string },
): FileField<UploadedFile>;
export function fileField(options: FileOptions): FileField<UploadedFile | null>;
export function fileField(options: FileOptions): FileField<UploadedFile | null> {
  checkOptions('fileField', options, FILE_KINDS);
  const { required } = options;
  const limits = prepare(options);
  const field = defineField(
    { ...options, required: undefined },
    {
      control: 'file',
      draw: (drawn) => drawFiles(drawn, [drawn.text]),
      attributes: toAttributes(options),
      normalize: (text) => text,
      toText: toName,
      column: { to: toColumn, from: fromColumn },
      parse(text, { file, language }): Parsed<UploadedFile | null> {
        if (file instanceof ReceivedFile) {
          const wrong = findWrong(file, language.translate(options.label), limits, language);
          return wrong === null ? ok(file) : problem(wrong);
        }
        if (text !== '') return problem(language.words.chooseAgain(parseFileText(text).name));
        return required === undefined ? ok(null) : problem(required);
      },
    },
  );
  return {
    ...field,
    control: 'file',
    required: required !== undefined,
    ...limits,
    maxFiles: 1,
    receive,
    show: showFile,
  };
}

/** Files in one message: a form may have many, and nobody reads all of their names. */
const MAX_NAMED = 10;

/**
 * Several files in one field, in the order in which they were chosen; an empty list for none. Those of a refused form
 * stay, and files that are chosen then are added to them. A file that is refused is named in the error, and the others
 * stay.
 */
export function filesField(options: FilesOptions): FilesField {
  checkOptions('filesField', options, FILES_KINDS);
  const { label, maxFiles } = options;
  const limits = prepare(options);
  const field = defineField<readonly UploadedFile[], readonly string[]>(options, {
    control: 'files',
    default: [],
    empty: [],
    limits: { maxEntries: maxFiles },
    draw: (drawn) => drawFiles(drawn, drawn.text),
    attributes: toAttributes(options),
    toText: (files) => files.map(toName),
    column: {
      to: (files) => JSON.stringify(files.map(toColumn)),
      from: (stored) => (JSON.parse(String(stored)) as unknown[]).map(fromColumn) as never,
    },
    parse(texts, { files = [], language }): Parsed<readonly UploadedFile[]> {
      const { words, translate, formatList } = language;
      const names = texts.map((text) => parseFileText(text).name);
      const wrong = names.slice(0, maxFiles).flatMap((name, at) => {
        const file = files[at];
        if (!(file instanceof ReceivedFile)) return words.chooseAgain(toShort(name));
        return findWrong(file, file.name || translate(label), limits, language) ?? [];
      });
      const beyond = names.slice(maxFiles).map(toShort);
      if (beyond.length > 0)
        wrong.unshift(words.tooManyInField(translate(label), maxFiles, formatList(toFew(beyond))));
      return wrong.length === 0
        ? ok(files as readonly ReceivedFile[])
        : problem(toFew([...new Set(wrong)]).join('. '));
    },
  });
  return {
    ...field,
    control: 'files',
    ...limits,
    maxFiles,
    receive,
    show: (texts, given) =>
      (given?.language ?? english).formatList(texts.map((text) => showFile(text, given))),
  };
}

function toFew(texts: readonly string[]): readonly string[] {
  return texts.length <= MAX_NAMED ? texts : [...texts.slice(0, MAX_NAMED), '…'];
}

/** A part of the body that refers to no file may have any text. */
function toShort(name: string): string {
  return cutText(name, MAX_NAME_LENGTH);
}

type FileLimits = Pick<FileField<unknown>, 'maxSize' | 'types'> & {
  readonly accept: readonly string[];
};

/** Loads what a form with files needs, so that a missing package shows at the start. */
function prepare({ maxSize, types, accept }: FileOptions): FileLimits {
  isUsed = true;
  void requireParser();
  if (types !== undefined) void loadDetector();
  return { maxSize, types: types ?? null, accept: accept ?? types ?? [] };
}

function toAttributes({ types = [], accept = types, capture }: FileOptions) {
  return {
    ...(accept.length === 0 ? {} : { accept: accept.join(',') }),
    ...(capture === undefined ? {} : { capture }),
  };
}

/** What is wrong with a file; null if nothing is. `name` is that of its field or, of several, its own. */
function findWrong(
  { excess, size, type }: ReceivedFile,
  name: string,
  { maxSize, types, accept }: FileLimits,
  { words, formatList }: Language,
): string | null {
  if (excess === 'file') return words.fileTooLarge(name, maxSize);
  if (excess === 'form') return words.filesTooLarge(name);
  if (size === 0) return words.fileEmpty(name);
  if (types === null || types.includes(type)) return null;
  return words.wrongFileType(name, formatList(accept, 'disjunction'));
}

/** The type of the field is that of a file that is sent, but a record has a stored one: see `FileField`. */
type FileValue = (UploadedFile & Partial<StoredFile>) | null;

function toName(file: FileValue): string {
  return file?.name || (file?.id ?? '');
}

function toColumn(file: FileValue): string {
  if (file?.id !== undefined) return `${file.id} ${file.name}`;
  throw new TypeError(
    `Cannot put the file ${JSON.stringify(file?.name)} into a column: it is not kept. Pass what keepFiles(form, context) resolves to.`,
  );
}

function fromColumn(stored: unknown): FileValue {
  const text = String(stored);
  const at = text.indexOf(' ');
  const file: StoredFile =
    at === -1 ? { id: text, name: '' } : { id: text.slice(0, at), name: text.slice(at + 1) };
  return file as FileValue;
}

function showFile(text: string, given?: Given): string {
  if (text === '') return '';
  const { formatSize } = given?.language ?? english;
  const { key, name, size } = parseFileText(text);
  // Without a key, the size is not known.
  return key === null ? name : `${name}, ${formatSize(size)}`;
}

let receiveLoaded: Receive | null = null;

const receive: Receive = async (context, refused) => {
  // Each import makes several promises, also of a module that is loaded.
  receiveLoaded ??= (await import('./receive-form.ts')).receiveForm;
  return receiveLoaded(context, refused);
};

/** Each parked file with a button that removes it, and the control that chooses another one, or more. */
function drawFiles(
  { name, field, attributes, language }: DrawnControl<FieldText>,
  texts: readonly string[],
): Html {
  const { words, formatSize } = language;
  const several = Array.isArray(field.default);
  const parked = texts.map((text) => {
    const { key, name: fileName, size } = parseFileText(text);
    if (key === null) return null;
    const change = toChange('remove', several ? `${name} ${key}` : name);
    return html`<p class="file"><input type="hidden" name="${name}" value="${text}">${fileName}, ${formatSize(size)}
<button${writeAttributes({ class: 'quiet', name: CHANGE, value: change })}>${words.remove}<span class="visually-hidden">${words.ofFile(fileName)}</span></button></p>
`;
  });
  const own: Attributes = { type: 'file', id: name, name, multiple: several };
  return html`${parked}<input${writeAttributes({ ...own, ...attributes })}>`;
}
