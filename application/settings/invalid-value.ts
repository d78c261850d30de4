/** What files that read variables share: `config.ts` has the loop, and others have a group of variables each. */

/**
 * Reads one variable. `parse` throws an `InvalidValue`; the fallback, which replaces a missing and an invalid value,
 * must be valid.
 */
export type Read = <T>(name: string, fallback: string, parse: (value: string) => T) => T;

/** Why a value is invalid; `shown` replaces a value that may contain a secret. */
export class InvalidValue extends Error {
  readonly shown: string | null;

  constructor(message: string, shown: string | null = null) {
    super(message);
    this.shown = shown;
  }
}

export function parseSwitch(value: string): boolean {
  if (value === '1' || value === '0') return value === '1';
  throw new InvalidValue('it must be 1 (yes) or 0 (no).');
}
