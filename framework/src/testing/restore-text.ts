/** Acts as a browser that puts the text and the chosen options of one page into another: F5 in Firefox, or Back. */
import type { TypedFields } from './make-request.ts';
import { hiddenFields } from './visitor.ts';

/**
 * What the newer page sends beside the text that was typed on the earlier one. With one page twice, nothing is
 * restored.
 */
export function restoredFields(earlier: string, newer: string): TypedFields {
  const chosen = listOptions(earlier).flatMap((option) => (option.isChosen ? option.value : []));
  const sent = listOptions(newer).flatMap(({ value, isDisabled }) =>
    chosen.includes(value) && !isDisabled ? value : [],
  );
  return { ...hiddenFields(newer), ...(sent.length === 0 ? {} : { _page: sent }) };
}

function listOptions(markup: string) {
  const [, select = ''] = /<select name="_page" multiple>(.*?)<\/select>/.exec(markup) ?? [];
  const [enabled = '', disabled = ''] = select.split(/<optgroup[^>]* disabled>/);
  return [enabled, disabled].flatMap((part, at) =>
    [...part.matchAll(/<option( selected)?>([^<]*)/g)].map(([, isChosen, value = '']) => ({
      value,
      isChosen: isChosen !== undefined,
      isDisabled: at === 1,
    })),
  );
}
