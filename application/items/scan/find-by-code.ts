/**
 * The things that a code means: a short address on a label, an item number, a product code, a serial number, the
 * reference that a file had, or the text of a field of the team's own. Each is found whole, by an index, whatever the
 * case of its letters.
 */
import { type Kysely, sql } from 'kysely';
import type { Schema } from '../../database/schema.ts';
import { toOwnKey } from '../../own-fields/own-values.ts';
import { isReference } from '../item-sources.ts';
import { parseNumber } from '../parse-number.ts';

export interface Found {
  readonly number: number;
  readonly name: string;
  readonly location: string;
}

/** More than people choose from. */
const MAX_FOUND = 20;

export async function findByCode(read: Kysely<Schema>, code: string): Promise<readonly Found[]> {
  const named = readItemNumber(code);
  const numbers = new Set(named === null ? [] : [named.number]);
  if (named === null || !named.isSure)
    for (const number of await findNumbers(read, code)) numbers.add(number);
  if (numbers.size === 0) return [];
  return read
    .selectFrom('items')
    .select(['number', 'name', 'location'])
    .where('number', 'in', [...numbers])
    .orderBy('number')
    .limit(MAX_FOUND)
    .execute();
}

async function findNumbers(read: Kysely<Schema>, code: string): Promise<readonly number[]> {
  const products = await read
    .selectFrom('items')
    .select('number')
    .where('code', '<>', '')
    .where(sql`lower(code)`, 'in', productCodes(code))
    .limit(MAX_FOUND)
    .execute();
  const serials = await read
    .selectFrom('items')
    .select('number')
    .where('serial', '<>', '')
    .where(sql`lower(serial)`, '=', toLower(code))
    .limit(MAX_FOUND)
    .execute();
  const sources = await read
    .selectFrom('item_sources')
    .select(['item_number as number', 'kind'])
    .where('source', '=', code)
    .limit(MAX_FOUND)
    .execute();
  const references = sources.filter(({ kind }) => isReference({ kind, text: code }));
  const own = await findInOwnFields(read, code);
  return [...products, ...serials, ...references, ...own].map(({ number }) => number);
}

/** In the texts that a search finds, too. The fields come first, so that the index of the values answers. */
async function findInOwnFields(read: Kysely<Schema>, code: string) {
  const fields = await read
    .selectFrom('own_fields')
    .leftJoin('item_kinds', 'item_kinds.id', 'own_fields.item_kind')
    .select('own_fields.id')
    .where('own_fields.kind', '=', 'text')
    .where('own_fields.searched', '=', 1)
    .where('own_fields.removed', '=', 0)
    .where(({ fn }) => fn.coalesce('item_kinds.removed', sql.lit(0)), '=', 0)
    .execute();
  if (fields.length === 0) return [];
  const ids = fields.map(({ id }) => id);
  // Keys are cut, and those of 42 and 0042 are the same.
  return read
    .selectFrom('item_values')
    .select('item_number as number')
    .where('field_id', 'in', ids)
    .where('key', '=', toOwnKey('text', code))
    .where(sql`lower(value)`, '=', toLower(code))
    .limit(MAX_FOUND)
    .execute();
}

/** As both engines do: they leave letters beyond ASCII as they are. */
function toLower(text: string): string {
  return text.replaceAll(/[A-Z]/g, (letter) => letter.toLowerCase());
}

/** A UPC of 12 digits is an EAN of 13 that begins with 0, and scanners send either. */
function productCodes(code: string): readonly string[] {
  if (!/^\d{8,14}$/.test(code)) return [toLower(code)];
  const digits = code.replace(/^0+/, '');
  return [...new Set([code, ...[8, 12, 13, 14].map((length) => digits.padStart(length, '0'))])];
}

export interface NamedItem {
  readonly number: number;
  /** A plain number can also be a product code or a serial number. */
  readonly isSure: boolean;
}

/**
 * `https://things.example/i/17`, from whatever host its label has it: the site may have had another one. `#17` and
 * `No. 17`, as pages write it; and `17`.
 */
export function readItemNumber(code: string): NamedItem | null {
  const [, address] =
    /^(?:https?:\/\/[^/?#]+)?\/(?:i|items)\/(\d+)\/?(?:[?#].*)?$/i.exec(code) ?? [];
  const [, sign, digits] = /^(#|no\. ?)?(\d{1,16})$/i.exec(code) ?? [];
  const number = parseNumber(address ?? digits ?? '');
  return number === null ? null : { number, isSure: address !== undefined || sign !== undefined };
}

/** The place whose short address the code is, `/p/5`; null for any other code, or if there never was such a place. */
export async function findPlaceByCode(
  read: Kysely<Schema>,
  code: string,
): Promise<{ readonly id: number; readonly path: string } | null> {
  const [, digits = ''] =
    /^(?:https?:\/\/[^/?#]+)?\/p(?:laces)?\/(\d+)\/?(?:[?#].*)?$/i.exec(code) ?? [];
  const id = parseNumber(digits);
  if (id === null) return null;
  const row = await read
    .selectFrom('places')
    .leftJoin('places as whole', 'whole.id', 'places.merged_into')
    .select(({ fn }) => [
      fn.coalesce('whole.id', 'places.id').as('id'),
      fn.coalesce('whole.path', 'places.path').as('path'),
    ])
    .where('places.id', '=', id)
    .executeTakeFirst();
  return row ?? null;
}

/** Which field of a new thing the code is for: the last digit of an EAN or UPC is made of the others. */
export function fieldOfCode(code: string): 'code' | 'serial' {
  if (!/^(?:\d{8}|\d{12,14})$/.test(code)) return 'serial';
  const digits = [...code.padStart(14, '0')].map(Number);
  const sum = digits.reduce((total, digit, at) => total + digit * (at % 2 === 0 ? 3 : 1), 0);
  return sum % 10 === 0 ? 'code' : 'serial';
}

export type FindByCode = (code: string) => Promise<readonly Found[]>;
