/**
 * Passwords that are guessed first: those that are on lists of common ones, the person's own name,
 * and the name of the site. They are compared in lower case; nothing else is demanded of a password.
 *
 * The list (about 18,000 of eight characters or more) is read when it is first needed, which takes
 * some 15 ms: a service that only logs people in never holds it.
 */
const SITE_NAMES: readonly string[] = ['seeother', 'see other', 'see-other'];

let common: Promise<ReadonlySet<string>> | null = null;

/** Whether somebody who guesses would try this password early. */
export async function isEasyPassword(password: string, username: string): Promise<boolean> {
  const typed = password.toLowerCase();
  if (typed === username.toLowerCase() || SITE_NAMES.includes(typed)) return true;
  common ??= readList();
  return (await common).has(typed);
}

async function readList(): Promise<ReadonlySet<string>> {
  const { dictionary } = await import('@zxcvbn-ts/language-common');
  return new Set(dictionary['passwords-common']);
}
