/**
 * Plans which file of a zip becomes a photo of which thing: of the rows of a table, or, without a table, of the things
 * that are here. Nothing is written here.
 */
import { type Kysely, type RawBuilder, sql } from 'kysely';
import type { Schema } from '../database/schema.ts';
import { MAX_FILES_OF_ITEM } from '../items/files/check-files.ts';
import { itemFilesField } from '../items/files-field.ts';
import { findBySource, isReference } from '../items/item-sources.ts';
import {
  createPhotoMatcher,
  type LeftFile,
  textsOf,
  toNumber,
  toPhotoKey,
} from './match-photos.ts';
import type { PlannedRow } from './plan-rows.ts';
import { MAX_SHOWN } from './plan-summary.ts';
import type { PlannedPiece } from './plan-table.ts';
import { plainSql } from './same-text.ts';
import { type PhotoZip, typeOf } from './zip/open-photo-zip.ts';
import { fileNameOf } from './zip/read-zip.ts';

/** What the preview shows, and what became of it. Lists are cut. Stored as JSON. */
export interface PhotoSummary {
  readonly zip: string;
  /** Photos to attach, and the things that get one. */
  readonly planned: number;
  readonly things: number;
  /** Files that stay out, by the reason. */
  readonly left: readonly {
    readonly problem: string;
    readonly count: number;
    readonly paths: readonly string[];
  }[];
  /** Names in the table of which the zip has no file. */
  readonly missing: readonly string[];
  readonly missingCount: number;
  /** Things of the table that get none. */
  readonly without: readonly string[];
  readonly withoutCount: number;
  /** Attached, attached before, and not attached after all, with why. */
  readonly added: number;
  readonly there: number;
  readonly failed: number;
  readonly problems: readonly LeftFile[];
}

/** A file to attach. Its item is known, or becomes so when its row is written. */
export type PlannedPhoto = Pick<
  Schema['import_photos'],
  'path' | 'name' | 'type' | 'line' | 'first_line' | 'item_number'
>;

export function createPhotoPlan({ source, files, names, hasNames }: PhotoZip, hasTable: boolean) {
  const matcher = createPhotoMatcher();
  /** By their lines. */
  const things = new Map<number, { readonly name: string; readonly item: number | null }>();
  /** The lines that the lines of other rows repeat. */
  const firsts = new Map<number, number>();
  const left: LeftFile[] = [];
  const paths = files.flatMap(({ path, size }) => {
    if (size > 0 && size <= itemFilesField.maxSize) return path;
    const problem =
      size === 0 ? 'it is empty' : `it has more than ${itemFilesField.maxSize / 1e6} MB`;
    left.push({ path, problem });
    return [];
  });
  const nameOf = (path: string) => names.get(path)?.name ?? path;
  return {
    /** The rows of a table. */
    add({ rows, read }: PlannedPiece): void {
      for (const [at, row] of rows.entries()) {
        const cells = read[at];
        if (row.kind === 'refuse' || cells === undefined || 'problems' in cells) continue;
        const { line } = row;
        for (const file of cells.photos) matcher.addFile(file, line);
        if (row.kind === 'doubled') {
          firsts.set(line, row.first);
          continue;
        }
        const { name = '', serial = '', code = '' } = cells.values;
        things.set(line, { name, item: itemOf(row) });
        if (hasNames) continue;
        matcher.addKey('name', name, line);
        matcher.addKey('serial', serial, line);
        matcher.addKey('code', code, line);
        if (cells.number !== null) matcher.addKey('number', `${cells.number}`, line);
        for (const one of cells.sources)
          if (isReference(one)) matcher.addKey('reference', one.text, line);
      }
    },
    async finish(
      read: Kysely<Schema>,
    ): Promise<{ readonly photos: readonly PlannedPhoto[]; readonly summary: PhotoSummary }> {
      if (!hasTable) await addItems(read, matcher, paths);
      const matches = await matcher.match(paths);
      const photos: PlannedPhoto[] = [];
      const withPhotos = new Set<number>();
      const beyond: LeftFile[] = [];
      for (const [id, own] of matches.files) {
        const first = firsts.get(id) ?? null;
        const thing = first ?? id;
        withPhotos.add(thing);
        for (const [at, path] of own.entries()) {
          const problem = `an item has at most ${MAX_FILES_OF_ITEM} photos and documents`;
          if (at >= MAX_FILES_OF_ITEM) {
            beyond.push({ path, problem });
            continue;
          }
          const name = fileNameOf(nameOf(path));
          const type = names.get(path)?.type ?? typeOf(name);
          const item = hasTable ? (things.get(thing)?.item ?? null) : id;
          const line = hasTable ? id : null;
          photos.push({ path, name, type, line, first_line: first, item_number: item });
        }
      }
      const without = [...things].filter(([line]) => !withPhotos.has(line));
      // The table of Homebox says of each file whose it is.
      const others = hasNames
        ? matches.left.map((one) => ({ ...one, problem: 'their things are left out' }))
        : matches.left;
      const all = [...left, ...others, ...beyond].map((one) => {
        return { ...one, path: nameOf(one.path) };
      });
      const cut = (text: string) => text.slice(0, MAX_NAME).toWellFormed();
      return {
        photos,
        summary: {
          ...{ zip: source.name, planned: photos.length, things: withPhotos.size },
          left: [...Map.groupBy(all, ({ problem }) => problem)].map(([problem, some]) => ({
            ...{ problem, count: some.length },
            paths: some.slice(0, MAX_SHOWN).map(({ path }) => cut(path)),
          })),
          missing: matches.missing.slice(0, MAX_SHOWN).map((path) => cut(nameOf(path))),
          missingCount: matches.missing.length,
          without: without.slice(0, MAX_SHOWN).map(([, { name }]) => name),
          withoutCount: without.length,
          ...{ added: 0, there: 0, failed: 0, problems: [] },
        },
      };
    },
  };
}

/** Characters of the name of a file in the preview. */
const MAX_NAME = 200;

/** The item that the row certainly stands for. */
function itemOf(row: PlannedRow): number | null {
  return row.kind === 'change' || row.kind === 'same' || row.kind === 'here' ? row.number : null;
}

/** Texts that are looked up together. */
const LOOKED_UP = 200;

/** The items that the paths may name. Of many with one text, two are enough to say that it names none. */
async function addItems(
  read: Kysely<Schema>,
  matcher: Pick<ReturnType<typeof createPhotoMatcher>, 'addKey'>,
  paths: readonly string[],
): Promise<void> {
  const texts = [...new Set(paths.flatMap(textsOf))];
  for (let at = 0; at < texts.length; at += LOOKED_UP) {
    const some = texts.slice(at, at + LOOKED_UP);
    const numbers = some.map(toNumber).filter((text) => /^[1-9]\d{0,14}$/.test(text));
    if (numbers.length > 0)
      for (const { number } of await read
        .selectFrom('items')
        .select('number')
        .where('number', 'in', numbers.map(Number))
        .execute())
        matcher.addKey('number', `${number}`, number);
    for (const [text, items] of await findBySource(read, some))
      for (const one of items) if (isReference(one)) matcher.addKey('reference', text, one.number);
    const keys = some.map(toPhotoKey);
    const columns: readonly (readonly ['serial' | 'code' | 'name', RawBuilder<string>])[] = [
      ['serial', sql<string>`lower(serial)`],
      ['code', sql<string>`lower(code)`],
      ['name', plainSql(sql.ref('name')) as RawBuilder<string>],
    ];
    for (const [key, column] of columns) {
      const found = await read
        .selectFrom('items')
        .select(({ fn }) => [
          column.as('text'),
          fn.min('number').as('first'),
          fn.max('number').as('last'),
        ])
        .where(column, 'in', keys)
        .groupBy('text')
        .execute();
      for (const { text, first, last } of found) {
        matcher.addKey(key, text, Number(first));
        matcher.addKey(key, text, Number(last));
      }
    }
  }
}
