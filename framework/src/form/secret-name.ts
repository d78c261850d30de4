/**
 * Whether a field that no form declares may hold a secret. Only its name can suggest this, and only in English.
 * Declared fields do not depend on it.
 */

/** Matches whole words only: `passenger`, `shipping` and `postcode` are not secrets. */
const SECRET_WORD = /^(?:pass|pin|secret|token|code)$/i;
/** Also matches within a word, such as `newpassword`: no harmless word contains these. */
const SECRET_PART = /password|passwd|passphrase|passcode/i;

/** Splits the name into words at camelCase, underscores, hyphens and digits. */
export function isSecretName(name: string): boolean {
  const words = name
    .replaceAll(/([a-z])([A-Z])|([A-Z])([A-Z][a-z])/g, '$1$3 $2$4')
    .split(/[^A-Za-z]/);
  return SECRET_PART.test(name) || words.some((word) => SECRET_WORD.test(word));
}
