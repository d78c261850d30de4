/** A field with a file: `<input type="file">`, and the file that was chosen before the form was refused. */

import { writeAttributes } from '../field/attributes.ts';
import {
  type DrawnControl,
  defineField,
  FIELD_KINDS,
  type FieldOptions,
  type Given,
  ok,
  type Parsed,
  problem,
} from '../field/field.ts';
import { parseFileText, type StoredFile } from '../field/file-text.ts';
import type { Receive } from '../field/received-form.ts';
import { CHANGE, toChange } from '../form/change-form.ts';
import {
  COUNT,
  checkOptions,
  LIST,
  needed,
  type OptionKind,
  type OptionKinds,
} from '../http/check-options.ts';
import { type Html, html } from '../http/html.ts';
import { english } from '../language/english.ts';
import { loadDetector } from './detect-type.ts';
import { requireParser } from './receive-parts.ts';
import type { FileField } from './received-files.ts';
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
} satisfies OptionKinds<FileOptions>;

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
  const { label, maxSize, types = null, accept = types ?? [], required } = options;
  isUsed = true;
  void requireParser();
  if (types !== null) void loadDetector();
  const field = defineField(
    { ...options, required: undefined },
    {
      control: 'file',
      draw: drawFile,
      attributes: accept.length === 0 ? {} : { accept: accept.join(',') },
      normalize: (text) => text,
      toText: toName,
      column: { to: toColumn, from: fromColumn },
      parse(text, { file, language }): Parsed<UploadedFile | null> {
        const { words, translate, formatList } = language;
        if (!(file instanceof ReceivedFile)) {
          if (text !== '') return problem(words.chooseAgain(parseFileText(text).name));
          return required === undefined ? ok(null) : problem(required);
        }
        const name = translate(label);
        if (file.excess === 'file') return problem(words.fileTooLarge(name, maxSize));
        if (file.excess === 'form') return problem(words.filesTooLarge(name));
        if (file.size === 0) return problem(words.fileEmpty(name));
        if (types !== null && !types.includes(file.type))
          return problem(words.wrongFileType(name, formatList(accept, 'disjunction')));
        return ok(file);
      },
    },
  );
  return {
    ...field,
    control: 'file',
    required: required !== undefined,
    maxSize,
    types,
    receive,
    show: showFile,
  };
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

const receive: Receive = async (context, refused) => {
  const { receiveForm } = await import('./receive-form.ts');
  return receiveForm(context, refused);
};

/** A parked file with a button that removes it, and the control that chooses another one. */
function drawFile({ name, text, attributes, language }: DrawnControl): Html {
  const { words, formatSize } = language;
  const { key, name: fileName, size } = parseFileText(text);
  const parked =
    key === null
      ? null
      : html`<p class="file"><input type="hidden" name="${name}" value="${text}">${fileName}, ${formatSize(size)}
<button${writeAttributes({ class: 'quiet', name: CHANGE, value: toChange('remove', name) })}>${words.remove}<span class="visually-hidden">${words.ofFile(fileName)}</span></button></p>
`;
  return html`${parked}<input${writeAttributes({ type: 'file', id: name, name, ...attributes })}>`;
}
