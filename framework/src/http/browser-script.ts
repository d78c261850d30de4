/**
 * A script that the site serves for the framework, at an address with its hash. Who draws a page takes its tag from the
 * request, because the address depends on the base of the router.
 */
import type { Html } from './html.ts';
import type { Request } from './request.ts';
import { Slot } from './slot.ts';

/** A script of the framework for browsers: an entry makes it, and `createSite` serves it. */
export interface BrowserScript {
  /** What its address begins with, such as `passkeys`. */
  readonly name: string;
  readonly text: string;
}

export const scriptTagsSlot: Slot<ReadonlyMap<BrowserScript, Html>> = new Slot(new Map());

/**
 * The `<script>` of a script among `scripts` of the site's stores. A page may have it several times; it runs once.
 * Throws for another script: the policy would not let it run.
 */
export function scriptTag(request: Pick<Request, 'slots'>, script: BrowserScript): Html {
  const tag = scriptTagsSlot.of(request).get(script);
  if (tag !== undefined) return tag;
  throw new TypeError(
    `Cannot use the script "${script.name}": this site does not serve it. Name it beside the stores, createSite({ ...stores, scripts: [${script.name}Script] }).`,
  );
}
