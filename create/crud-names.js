// @ts-check
/**
 * The names of `--crud order-items --one "order item"`: in the address, the table, the code and the text. The plural is
 * never made of the singular, nor the other way round.
 */
import { parseFields } from './crud-fields.js';
import { Refusal } from './refusal.js';

/**
 * @typedef {{
 *   readonly folder: string,
 *   readonly table: string,
 *   readonly all: string,
 *   readonly one: string,
 *   readonly codeOfAll: string,
 *   readonly codeOfOne: string,
 *   readonly fields: readonly [import('./crud-fields.js').CrudField, ...import('./crud-fields.js').CrudField[]],
 * }} Crud
 */

const PLURAL = /^[a-z][a-z0-9]*(?:-[a-z0-9]+)*$/;
const SINGULAR = /^[\p{L}][\p{L}\p{N}]*(?:[ -][\p{L}\p{N}]+)*$/u;

/** A type or a function of these names would hide another one that the code needs. */
const AVOIDED =
  /^(?:Any|Array|Blank|Boolean|Bool|Button|Change|Conflict|Connection|Context|Count|Database|Date|Deleted|Define|Filled|Form|Html|Http|List|Map|Number|Object|Page|Promise|Readonly|Record|Request|Response|Restore|Router|Session|Set|Shown|Site|String|Symbol)$/;

/**
 * @param {string} plural
 * @param {string} one
 * @param {string} fields
 * @returns {Crud}
 */
export function parseCrud(plural, one, fields) {
  if (!PLURAL.test(plural) || plural.length > 40) {
    throw new Refusal(
      `Cannot make a folder ${JSON.stringify(plural)}: --crud takes the name of many things, in the small letters a to z and hyphens, such as books or order-items.`,
    );
  }
  if (!SINGULAR.test(one) || one.length > 40) {
    throw new Refusal(
      `Cannot call one of them ${JSON.stringify(one)}: --one takes words, such as book or order item.`,
    );
  }
  const codeOfAll = toCode(plural);
  // Only these letters are the same on every keyboard.
  const code = toCode(one.normalize('NFKD').replace(/[^\w -]/g, ''));
  const isUsable = code !== '' && code !== codeOfAll && !AVOIDED.test(code);
  return {
    folder: plural,
    table: plural.replaceAll('-', '_'),
    all: plural.replaceAll('-', ' '),
    one,
    codeOfAll,
    codeOfOne: isUsable ? code : `${code}Entry`,
    fields: parseFields(fields),
  };
}

/** @param {string} words */
function toCode(words) {
  return words
    .split(/[ -]/)
    .map((word) => word.charAt(0).toUpperCase() + word.slice(1))
    .join('')
    .replace(/^\d+/, '');
}
