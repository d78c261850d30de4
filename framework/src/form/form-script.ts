/**
 * What a form needs for the script that checks its fields while one types. Only a site with `forms: { script: true }`
 * puts it on its requests: without it, `check` is a change that no form knows.
 */
import type { Html } from '../http/html.ts';
import type { Request } from '../http/request.ts';
import { Slot } from '../http/slot.ts';

export interface FormScript {
  /** The `<script>`, which stands in each form. */
  readonly tag: Html;
  /** Throws a 429 for a client that has asked too often. */
  readonly limit: (request: Request) => Promise<void>;
}

export const formScriptSlot: Slot<FormScript | null> = new Slot(null);
