/** The name of the site, as the team calls it. It is set once, at the start of the process. */
import type { Config } from '../settings/config.ts';

let name = 'Seeother';

export function setSiteName({ siteName }: Pick<Config, 'siteName'>): void {
  name = siteName;
}

/** On every page: it belongs to the version of one. */
export function siteName(): string {
  return name;
}
