/**
 * Labels for things: the form, whose choice is remembered for the account, the page that prints, its style, and the
 * PDF. They change nothing of the things, so each address can be opened again.
 */
import { download, type FormError, type Handler, page, type Request } from 'seeother';
import { QueueFull } from 'seeother/middleware';
import { labelsPageHref, shortItemHref } from '../../links.ts';
import { originOf } from '../../site/account-link.ts';
import { formHandlers, type UserContext } from '../../site/contexts.ts';
import { formatCount } from '../../site/format.ts';
import { toViewer } from '../../site/layout.ts';
import type { ExportItems } from '../export/item-export.ts';
import type { Items } from '../item.ts';
import type { Item } from '../item-rows.ts';
import { type ChosenItems, readChosenItems, readTicked } from '../ticked-numbers.ts';
import type { LabelChoices } from './label-choices.ts';
import { labelCss } from './label-css.ts';
import {
  type LabelFields,
  labelForm,
  MAX_LABELS,
  TOO_MANY,
  toSheet,
  toSheetText,
} from './label-form.ts';
import { labelFormPage, labelsPage } from './label-page.ts';
import { labelPdf } from './label-pdf.ts';
import { type LabelChoice, readLabelChoice, writeLabelChoice } from './read-labels.ts';
import { isSheetName, labelsOf, MEASURES } from './sheets.ts';

export interface LabelOptions {
  readonly items: Items;
  readonly exportItems: ExportItems;
  readonly labelChoices: LabelChoices;
  readonly publicOrigin: string | null;
}

/** Before an account has chosen anything. */
const FIRST_CHOICE = 'texts=number.location';

export function createLabelController(options: LabelOptions) {
  const { items, exportItems, labelChoices, publicOrigin } = options;
  const labels = formHandlers(labelForm, {
    name: 'chooseLabels',
    async load(context) {
      const chosen = readChosen(context);
      return { chosen, count: await countChosen(chosen) };
    },
    async fill({ session }) {
      const { sheetText, sheet, texts, edges } = readLabelChoice(
        new URLSearchParams((await labelChoices.find(session.user.id)) || FIRST_CHOICE),
      );
      const own = Object.fromEntries(MEASURES.map((name) => [name, String(sheet[name])]));
      return {
        sheet: isSheetName(sheetText) ? { choice: sheetText } : { choice: 'own', own },
        texts: [...texts],
        edges: edges ? 'on' : '',
      };
    },
    show({ chosen, count, form, errors, ...context }) {
      const prefix = prefixOf(context.request);
      return labelFormPage({ viewer: toViewer(context), chosen, count, prefix, form, errors });
    },
    async check({ values, ...context }) {
      const { sheet, start = 1, copies = 1 } = values;
      const count = await countChosen(readChosen(context));
      const chosen = sheet && toSheet(sheet);
      const errors: FormError<LabelFields>[] = [];
      if (chosen !== undefined && 'problem' in chosen)
        errors.push({ ...chosen.problem, field: `sheet.own.${chosen.problem.measure}` });
      else if (chosen !== undefined && start > labelsOf(chosen.sheet))
        errors.push({
          field: 'start',
          message: `The sheet has ${formatCount(labelsOf(chosen.sheet), 'label', 'labels')}`,
        });
      if (count !== null && count * copies > MAX_LABELS)
        errors.push({ field: 'copies', message: TOO_MANY });
      return errors;
    },
    async send({ transaction, session, values, ...context }) {
      const { start, copies, texts, edges } = values;
      const sheetText = toSheetText(values.sheet);
      const choice = writeLabelChoice({ sheetText, start, copies, texts, edges });
      await labelChoices.remember(transaction, session.user.id, choice);
      return labelsPageHref(readChosen(context), choice);
    },
  });

  function prefixOf(request: Request): string {
    return `${publicOrigin ?? originOf(request)}${shortItemHref(1).slice(0, -1)}`;
  }

  /** Null while too many searches run. */
  async function countChosen(chosen: ChosenItems): Promise<number | null> {
    if (chosen.ticked !== '') return readTicked(chosen.ticked).length;
    try {
      return (await items.list(1, chosen)).itemCount;
    } catch (error) {
      if (!(error instanceof QueueFull)) throw error;
      return null;
    }
  }

  /** One for each label, and more than `MAX_LABELS` if there are too many. */
  async function readItems(chosen: ChosenItems, { copies }: LabelChoice): Promise<readonly Item[]> {
    const ticked = readTicked(chosen.ticked);
    const all = [...(await items.findMany(ticked))];
    for await (const batch of ticked.length > 0 ? [] : await exportItems(chosen)) {
      all.push(...batch);
      if (all.length > MAX_LABELS) break;
    }
    return all.flatMap((item) => Array<Item>(copies).fill(item)).slice(0, MAX_LABELS + 1);
  }

  async function readLabels({ request }: UserContext) {
    const chosen = readChosen({ request });
    const choice = readLabelChoice(request.query);
    const all = await readItems(chosen, choice);
    return {
      chosen,
      choice,
      items: all,
      isTooMany: all.length > MAX_LABELS,
      prefix: prefixOf(request),
    };
  }

  const showLabels: Handler<UserContext> = async (context) => {
    const view = await readLabels(context);
    return page(labelsPage({ viewer: toViewer(context), ...view }), view.isTooMany ? 400 : 200);
  };

  const showLabelPdf: Handler<UserContext> = async (context) => {
    const view = await readLabels(context);
    const { choice, prefix, isTooMany } = view;
    if (isTooMany || view.items.length === 0)
      return page(labelsPage({ viewer: toViewer(context), ...view }), isTooMany ? 400 : 404);
    const file = await labelPdf(view.items, choice, prefix);
    return download(context, file, { name: 'labels.pdf', type: 'application/pdf', inline: true });
  };

  const showLabelCss: Handler<UserContext> = ({ request }) => ({
    status: 200,
    headers: { 'Content-Type': 'text/css; charset=utf-8', 'Cache-Control': 'private, no-cache' },
    body: labelCss(readLabelChoice(request.query).sheet),
  });

  return { labels, showLabels, showLabelPdf, showLabelCss };
}

/** Only those with an account print labels. */
function readChosen({ request }: { readonly request: Request }): ChosenItems {
  return readChosenItems(request.query, true);
}
