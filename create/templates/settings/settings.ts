/** The settings of the ways to sign in. They come from the environment, and from the file `.env`. */

/** Undefined if it is not set. With a `PUBLIC_ORIGIN` the site is in production, and does not start without it. */
export function readSetting(name: string, example: string): string | undefined {
  const { [name]: value = '', PUBLIC_ORIGIN } = process.env;
  if (value !== '') return value;
  if (PUBLIC_ORIGIN === undefined) return undefined;
  console.error(`Cannot start: ${name} is not set. Write it into .env, such as ${example}`);
  process.exit(1);
}
