/**
 * The digest of a form that was sent. All copies of one form have the same digest, also in two versions of an
 * application that declare different fields. So it is made of what was sent, and not of the definition: a field that is
 * added to the definition, moved or left empty does not change it, and a sent field that one version does not declare
 * counts in both.
 *
 * No digest of a password may be stored, so `sent` has no passwords, and no undeclared fields whose names suggest a
 * secret.
 */
import { hash } from 'node:crypto';
import { bindForm } from '../form/bound-part.ts';
import type { Fields, FilledForm, SentField } from '../form/define-form.ts';
import { toEntries } from '../form/sent-fields.ts';

/** What distinguishes two forms with the same idempotency key. */
export interface DigestParts<F extends Fields> {
  readonly path: string;
  readonly form: FilledForm<F>;
  /** Undefined for a form without a password. */
  readonly sessionKey: string | null | undefined;
}

/**
 * Pairs of one name stay in the order in which they were sent, so a form with repeated rows would count them in that
 * order. A file is represented by the hash of its content, without its name.
 */
export function digestForm<F extends Fields>({ path, form, sessionKey }: DigestParts<F>): string {
  const pairs: (readonly [name: string, value: string])[] = [];
  for (const field of sentFields(form))
    if (!isEmpty(field)) pairs.push([field.name, toValue(field)]);
  pairs.sort(([one], [other]) => compare(one, other));
  return PREFIX + digest([path, pairs], sessionKey);
}

/** Tells the digests of pairs from earlier ones, which are hexadecimal. */
const PREFIX = 'pairs:';

/** Whether `earlierDigests` may have returned it. */
export function isEarlierDigest(digest: string): boolean {
  return !digest.startsWith(PREFIX);
}

/** A longer list would slow down the request and the query for its receipt. */
const MAX_DIGESTS = 64;
/** Characters that are hashed for the digests of one form. */
const MAX_HASHED = 1_000_000;

/**
 * The digests that an earlier version of the framework may have stored for the form. It hashed the path and all texts
 * in the order of the definition, with an empty text for a field that was not sent. That definition may have lacked
 * fields of the present one, so this tries each definition that lacks some of the fields that were not sent, and one
 * with just the fields that were sent, in their order. If these are too many, it tries only the present definition
 * and the sent fields.
 *
 * They are needed until the receipts of that time have expired, 90 days after the upgrade.
 */
export function earlierDigests<F extends Fields>(parts: DigestParts<F>): readonly string[] {
  const { path, form, sessionKey } = parts;
  const sent = sentFields(form);
  const values = new Map(sent.map((field) => [field.name, toValue(field)]));
  const lists = listTexts(form.definition.names, values);
  const inOrder = sent.map(toValue);
  const isListed = lists.some((texts) => isSame(texts, inOrder));
  return [...lists, ...(isListed ? [] : [inOrder])].map((texts) =>
    digest([path, ...texts], sessionKey),
  );
}

/** The texts that were sent, in the order of the names, with any number of empty ones where fields were not sent. */
function listTexts(
  names: readonly string[],
  values: ReadonlyMap<string, string>,
): readonly (readonly string[])[] {
  const texts = names.flatMap((name) => values.get(name) ?? []);
  // How many fields were not sent, before each text and after the last.
  const gaps = Array<number>(texts.length + 1).fill(0);
  let at = 0;
  for (const name of names) {
    if (values.has(name)) at++;
    else gaps[at] = (gaps[at] ?? 0) + 1;
  }
  const count = gaps.reduce((product, gap) => product * (gap + 1), 1);
  // A browser sends all fields of most forms.
  if (count === 1) return [texts];
  const length = texts.reduce((sum, text) => sum + text.length, 0);
  if (count > MAX_DIGESTS || count * length > MAX_HASHED)
    return [names.map((name) => values.get(name) ?? ''), texts];
  return gaps.reduce<readonly (readonly string[])[]>(
    (lists, gap, index) =>
      lists.flatMap((list) =>
        Array.from({ length: gap + 1 }, (_, empty) => [
          ...list,
          ...Array<string>(empty).fill(''),
          ...texts.slice(index, index + 1),
        ]),
      ),
    [[]],
  );
}

/** A form that was not read by the framework has only the texts of its fields. */
function sentFields<F extends Fields>({
  definition,
  text,
  sent,
}: FilledForm<F>): readonly SentField[] {
  return (
    sent ??
    toEntries(bindForm({ definition, text })).map(([name, value]) => ({ name, text: value }))
  );
}

function isSame(one: readonly string[], other: readonly string[]): boolean {
  return one.length === other.length && one.every((text, at) => text === other[at]);
}

/** Browsers send an empty file where none was chosen. */
function isEmpty({ text, sha256 }: SentField): boolean {
  return sha256 === undefined ? text === '' : sha256 === EMPTY_FILE;
}

const EMPTY_FILE = hash('sha256', '');

function toValue({ text, sha256 }: SentField): string {
  return sha256 ?? text;
}

/** By code units: the order of a language depends on the version of its rules. */
function compare(one: string, other: string): number {
  return one < other ? -1 : Number(one > other);
}

function digest(parts: readonly unknown[], sessionKey: string | null | undefined): string {
  return hash('sha256', JSON.stringify(sessionKey === undefined ? parts : [...parts, sessionKey]));
}
