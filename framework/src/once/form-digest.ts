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
  const parts = sessionKey === undefined ? [path, pairs] : [path, pairs, sessionKey];
  return hash('sha256', JSON.stringify(parts));
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
