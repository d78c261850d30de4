/**
 * The export of Homebox 0.26 and later is a zip: the rows of its tables as JSON, and each attachment as
 * `attachments/<id>`, without a name. Its thumbnails are attachments of no thing. It becomes the same table as the CSV
 * of Homebox, so that things are known by either, with a column that names the attachments.
 *
 * The tables are those of `backend/internal/core/services/service_exports.go` of sysadminsmedia/homebox. Booleans and
 * times depend on its database.
 */
import { formatNumber } from '../../site/format.ts';
import { type Zip, ZipError } from './read-zip.ts';

type Row = Readonly<Record<string, unknown>>;

/** What a file in the zip is called, and its type, if something else than its path says it. */
export type FileNames = ReadonlyMap<string, { readonly name: string; readonly type: string }>;

export interface HomeboxZip {
  /** The lines of the table. */
  readonly lines: () => AsyncIterable<Uint8Array>;
  readonly names: FileNames;
}

/** The tables that are read. All are in memory together. */
const TABLES = [
  'entities',
  'entity_types',
  'entity_fields',
  'tags',
  'tag_entities',
  'attachments',
] as const;
type Table = (typeof TABLES)[number];
/** Bytes of them together: those of some 10,000 things. */
const MAX_TABLES = 16_000_000;
/** Objects and lists in a table. An empty one takes thirty times its bytes in memory. */
const MAX_ROWS = 100_000;
const VERSION = 1;
const FOLDER = 'attachments/';

export function isHomebox({ entries }: Pick<Zip, 'entries'>): boolean {
  return entries.has('manifest.json') && entries.has('entities.json');
}

/** Rejects with a `ZipError`. */
export async function readHomebox(zip: Zip): Promise<HomeboxZip> {
  refuseLarge(zip);
  const manifest = await readJson(zip, 'manifest.json');
  const version = (manifest as Row | null)?.['schemaVersion'];
  if (version !== VERSION)
    throw new ZipError(
      `The zip is an export of a Homebox that is not known here (version ${JSON.stringify(version) ?? 'unknown'}). Export the things from Homebox as CSV`,
    );
  const read = (table: Table) => readRows(zip, table);
  const entities = await read('entities');
  const types = toMap(await read('entity_types'));
  const tags = toMap(await read('tags'));
  const tagged = Map.groupBy(await read('tag_entities'), (row) => toText(row['entity_id']));
  const fields = Map.groupBy(await read('entity_fields'), (row) => toText(row['entity_fields']));
  const attachments = (await read('attachments')).filter(
    (row) => row['type'] !== 'thumbnail' && toText(row['entity_attachments']) !== '',
  );
  const attached = Map.groupBy(attachments, (row) => toText(row['entity_attachments']));
  const places = toMap(entities);
  const isPlace = (row: Row | undefined) =>
    isTrue(types.get(toText(row?.['entity_type_entities']))?.['is_location']);
  const labels = [
    ...new Set([...fields.values()].flat().map((row) => toText(row['name']))),
  ].toSorted();
  const header = [...COLUMNS, ...labels.map((label) => `HB.field.${label}`)];

  function toCells(entity: Row): readonly string[] {
    const id = toText(entity['id']);
    const own = fields.get(id) ?? [];
    const names = (tagged.get(id) ?? []).map((row) =>
      toText(tags.get(toText(row['tag_id']))?.['name']),
    );
    const cells: Readonly<Record<string, string>> = {
      'HB.location': pathOf(entity).join(' / '),
      'HB.tags': names.filter((name) => name !== '').join('; '),
      'HB.asset_id': toAssetId(entity['asset_id']),
      ...Object.fromEntries(TEXTS.map((name) => [`HB.${name}`, toText(entity[name])])),
      ...Object.fromEntries(SWITCHES.map((name) => [`HB.${name}`, `${isTrue(entity[name])}`])),
      ...Object.fromEntries(DAYS.map((name) => [`HB.${name}`, toDay(entity[name])])),
      ...Object.fromEntries(own.map((row) => [`HB.field.${toText(row['name'])}`, textOf(row)])),
      'HB.photos': (attached.get(id) ?? []).toSorted(inOrder).map(toPath).join('\n'),
    };
    return header.map((heading) => cells[heading] ?? '');
  }

  /** The places around the thing, the outermost first. What is in another thing is where that is. */
  function pathOf(entity: Row): readonly string[] {
    const path: string[] = [];
    const seen = new Set<string>();
    for (let id = toText(entity['entity_children']); id !== '' && !seen.has(id); ) {
      seen.add(id);
      const parent = places.get(id);
      if (isPlace(parent)) path.unshift(toText(parent?.['name']));
      id = toText(parent?.['entity_children']);
    }
    return path;
  }

  return {
    async *lines() {
      yield toLine(header);
      for (const entity of entities) if (!isPlace(entity)) yield toLine(toCells(entity));
    },
    names: new Map(
      attachments.map((row) => {
        const path = toPath(row);
        const name = toText(row['title']) || path.slice(FOLDER.length);
        return [path, { name, type: toText(row['mime_type']) || 'application/octet-stream' }];
      }),
    ),
  };
}

const TEXTS = [
  ...['import_ref', 'name', 'quantity', 'low_stock_threshold', 'description', 'notes'],
  ...['purchase_price', 'purchase_from', 'manufacturer', 'model_number', 'serial_number'],
  ...['warranty_details', 'sold_to', 'sold_price', 'sold_notes'],
];
const SWITCHES = ['archived', 'insured', 'lifetime_warranty'];
const DAYS = ['purchase_date', 'warranty_expires', 'sold_date'];
const COLUMNS = [
  ...['HB.location', 'HB.tags', 'HB.asset_id', 'HB.photos'],
  ...[...TEXTS, ...SWITCHES, ...DAYS].map((name) => `HB.${name}`),
];

/** By the sizes in the directory, of which no more is read. */
function refuseLarge({ entries }: Zip): void {
  const files = ['manifest.json', ...TABLES.map((table) => `${table}.json`)];
  const size = files.reduce((sum, file) => sum + (entries.get(file)?.size ?? 0), 0);
  if (size > MAX_TABLES)
    throw new ZipError(
      `The tables of Homebox in the zip have more than ${MAX_TABLES / 1e6} MB together. Export the things from Homebox as CSV`,
    );
}

async function readRows(zip: Zip, table: Table): Promise<readonly Row[]> {
  const file = `${table}.json`;
  if (!zip.entries.has(file)) return [];
  const rows = await readJson(zip, file);
  if (rows === null) return [];
  if (!Array.isArray(rows)) throw damaged(file);
  return rows.filter((row) => typeof row === 'object' && row !== null);
}

async function readJson(zip: Zip, file: string): Promise<unknown> {
  const bytes = Buffer.concat(await Array.fromAsync(zip.read(file)));
  if (countRows(bytes, '{') + countRows(bytes, '[') > MAX_ROWS)
    throw new ZipError(
      `“${file}” in the zip has more than ${formatNumber(MAX_ROWS)} rows. Export the things from Homebox as CSV`,
    );
  try {
    return JSON.parse(bytes.toString('utf8'));
  } catch {
    throw damaged(file);
  }
}

/** Before they are made. Those in texts count too: a few. */
function countRows(bytes: Buffer, mark: string): number {
  let count = 0;
  for (let at = bytes.indexOf(mark); at !== -1 && count <= MAX_ROWS; count++)
    at = bytes.indexOf(mark, at + 1);
  return count;
}

function damaged(file: string): ZipError {
  return new ZipError(`“${file}” in the zip is damaged. Export the things from Homebox again`);
}

function toMap(rows: readonly Row[]): ReadonlyMap<string, Row> {
  return new Map(rows.map((row) => [toText(row['id']), row]));
}

function toText(value: unknown): string {
  return typeof value === 'string' ? value : typeof value === 'number' ? `${value}` : '';
}

function isTrue(value: unknown): boolean {
  return value === true || value === 1 || value === '1' || value === 'true';
}

/** Of a time, the day. Homebox writes the year 1 where there is none. */
function toDay(value: unknown): string {
  const day = /^(\d{4})-\d{2}-\d{2}/.exec(toText(value));
  return day === null || day[1] === '0001' ? '' : day[0];
}

/** As Homebox shows it: 1 is `000-001`. */
function toAssetId(value: unknown): string {
  const digits = toText(value);
  if (!/^[1-9]\d*$/.test(digits)) return '';
  const padded = digits.padStart(6, '0');
  return `${padded.slice(0, -3)}-${padded.slice(-3)}`;
}

/** Its CSV has texts alone, and nothing where the field is of another type. */
function textOf(row: Row): string {
  const { type } = row;
  if (type === 'number') return toText(row['number_value']);
  if (type === 'boolean') return isTrue(row['boolean_value']) ? 'yes' : 'no';
  return type === 'time' ? toDay(row['time_value']) : toText(row['text_value']);
}

function toPath(row: Row): string {
  return `${FOLDER}${toText(row['id'])}`;
}

/** Its primary photo, its other photos, then the documents; each by the time at which it was added. */
function inOrder(one: Row, other: Row): number {
  const rank = (row: Row) => (isTrue(row['primary']) ? 0 : row['type'] === 'photo' ? 1 : 2);
  return (
    rank(one) - rank(other) || (toText(one['created_at']) < toText(other['created_at']) ? -1 : 1)
  );
}

function toLine(cells: readonly string[]): Uint8Array {
  const quoted = cells.map((cell) => `"${cell.replaceAll('"', '""')}"`);
  return Buffer.from(`${quoted.join(',')}\n`);
}
