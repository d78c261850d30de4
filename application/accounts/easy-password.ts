/**
 * Refuses passwords that attackers try first: common ones, the username and the name of the site.
 * They are compared in lower case. There is no other rule for passwords but their length.
 *
 * The list (about 18,000 of eight characters or more) is loaded when it is first needed, in about
 * 15 ms. A process in which nobody chooses a password never loads it.
 */
const SITE_NAMES: readonly string[] = ['seeother', 'see other', 'see-other'];

let common: Promise<ReadonlySet<string>> | null = null;

/** Whether an attacker would try this password early. */
export async function isEasyPassword(password: string, username: string): Promise<boolean> {
  const typed = password.toLowerCase();
  if (typed === username.toLowerCase() || SITE_NAMES.includes(typed)) return true;
  common ??= readList();
  return (await common).has(typed);
}

async function readList(): Promise<ReadonlySet<string>> {
  // Of a package of CommonJS, only the default export is the same in the bundle.
  const { default: language } = await import('@zxcvbn-ts/language-common');
  return new Set(language.dictionary['passwords-common']);
}
