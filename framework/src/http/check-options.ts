/**
 * Checks the options of a function, for callers whose code no compiler checks. Each function lists its options beside
 * their type, with `satisfies OptionKinds<…>`, so that the compiler checks that the list is complete. The type is not
 * inferred from the list: the package (`isolatedDeclarations`) and the API reference need it written out.
 */

/** What an option must be. */
export interface OptionKind {
  readonly accepts: (value: unknown) => boolean;
  /** What to pass, as a noun: `a number`. With `example`, also how it is written. */
  readonly noun: string;
  readonly example?: string;
  readonly isNeeded?: boolean;
  /** Whether an error shows a text that was passed: it is no secret. */
  readonly isShown?: boolean;
}

/** A kind for each option of a type. */
export type OptionKinds<Options> = { readonly [Name in keyof Options]-?: OptionKind };

export const ANYTHING: OptionKind = { noun: 'a value', accepts: () => true };
export const TEXT: OptionKind = { noun: 'text', accepts: (value) => typeof value === 'string' };
export const FLAG: OptionKind = {
  noun: 'true or false',
  accepts: (value) => typeof value === 'boolean',
};
export const FUNCTION: OptionKind = {
  noun: 'a function',
  accepts: (value) => typeof value === 'function',
};
export const OBJECT: OptionKind = {
  noun: 'an object',
  accepts: (value) => typeof value === 'object' && value !== null && !Array.isArray(value),
};
export const LIST: OptionKind = { noun: 'a list', accepts: Array.isArray };
/** A length, a number of bytes or of milliseconds. */
export const COUNT: OptionKind = {
  noun: 'a whole number that is not negative',
  accepts: (value) => Number.isSafeInteger(value) && (value as number) >= 0,
};
export const WHOLE_NUMBER: OptionKind = { noun: 'a whole number', accepts: Number.isSafeInteger };
/** An error message for the user. */
export const SENTENCE: OptionKind = {
  noun: 'the error message that the user gets',
  example: "'Enter a name'",
  accepts: (value) => typeof value === 'string' && value !== '',
};

/** One of several texts. */
export function oneOf(...values: readonly string[]): OptionKind {
  const written = values.map((value) => `'${value}'`);
  return {
    noun: `${written.slice(0, -1).join(', ')} or ${written.at(-1)}`,
    accepts: (value) => values.some((one) => one === value),
  };
}

export function needed(kind: OptionKind, example?: string): OptionKind {
  return { ...kind, ...(example === undefined ? {} : { example }), isNeeded: true };
}

/** `other` is null or false. */
export function or(kind: OptionKind, other: null | false): OptionKind {
  const accepts = (value: unknown) => value === other || kind.accepts(value);
  return { ...kind, noun: `${kind.noun}, or ${other}`, accepts };
}

/**
 * Throws a TypeError for an option that the function does not have, one that it needs and was not given, and one of
 * another kind. An option that is undefined counts as not given.
 */
export function checkOptions(
  caller: string,
  options: object | undefined,
  kinds: Readonly<Record<string, OptionKind>>,
): void {
  const given: unknown = options ?? {};
  if (!OBJECT.accepts(given)) {
    throw new TypeError(
      `Cannot call ${caller} with ${describeValue(given)} for its options: pass an object with ${listNames(kinds)}.`,
    );
  }
  for (const [name, value] of Object.entries(given as object)) {
    const kind = Object.hasOwn(kinds, name) ? kinds[name] : undefined;
    if (kind === undefined) throw unknownOption(caller, name, kinds);
    if (value === undefined || kind.accepts(value)) continue;
    throw new TypeError(
      `Cannot pass ${kind.isShown && typeof value === 'string' ? JSON.stringify(value) : describeValue(value)} to ${caller} as ${name}: pass ${toRemedy(name, kind)}.`,
    );
  }
  for (const [name, kind] of Object.entries(kinds)) {
    if (kind.isNeeded !== true || (given as Record<string, unknown>)[name] !== undefined) continue;
    throw new TypeError(`Cannot call ${caller} without ${name}: pass ${toRemedy(name, kind)}.`);
  }
}

/** Text and objects may be secrets, so they are not shown. */
export function describeValue(value: unknown): string {
  if (Array.isArray(value)) return 'a list';
  if (value === null || typeof value === 'number' || typeof value === 'boolean') return `${value}`;
  if (value instanceof Promise) return 'a promise';
  if (typeof value === 'object') return 'an object';
  if (typeof value === 'function') return 'a function';
  if (typeof value === 'string') return value === '' ? 'empty text' : 'text';
  return typeof value;
}

function toRemedy(name: string, { noun, example }: OptionKind): string {
  return example === undefined ? noun : `${noun}, such as ${name}: ${example}`;
}

function unknownOption(
  caller: string,
  name: string,
  kinds: Readonly<Record<string, OptionKind>>,
): TypeError {
  const similar = findSimilar(name, Object.keys(kinds));
  const advice =
    similar === null ? `Its options are ${listNames(kinds)}` : `Did you mean ${similar}?`;
  return new TypeError(
    `Cannot pass the option ${JSON.stringify(name)} to ${caller}: it has none of this name. ${advice}${similar === null ? '.' : ''}`,
  );
}

function listNames(kinds: Readonly<Record<string, OptionKind>>): string {
  return Object.keys(kinds).join(', ');
}

/** The name that differs by the fewest letters, in at most half of them; null if there is none. */
export function findSimilar(name: string, names: readonly string[]): string | null {
  const near = names
    .map((one) => ({ one, distance: countEdits(name.toLowerCase(), one.toLowerCase()) }))
    .filter(({ one, distance }) => distance <= Math.min(name.length, one.length) / 2)
    .sort((left, right) => left.distance - right.distance);
  return near[0]?.one ?? null;
}

/** The letters to insert, delete or replace (Levenshtein's distance). */
function countEdits(from: string, to: string): number {
  let row = Array.from({ length: to.length + 1 }, (_, index) => index);
  for (let i = 1; i <= from.length; i++) {
    const next = [i];
    for (let j = 1; j <= to.length; j++) {
      const replaced = (row[j - 1] ?? 0) + (from[i - 1] === to[j - 1] ? 0 : 1);
      next.push(Math.min(replaced, (row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1));
    }
    row = next;
  }
  return row[to.length] ?? 0;
}
