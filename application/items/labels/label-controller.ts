/**
 * Labels for things: the form, whose choice is remembered for the account, the page that prints, its style, and the
 * PDF. They change nothing of the things, so each address can be opened again.
 */
import { download, type FormError, type Handler, page, type Request } from 'seeother';
import { andThen, QueueFull } from 'seeother/middleware';
import { labelsPageHref, shortItemHref, shortPlaceHref } from '../../links.ts';
import type { OwnField } from '../../own-fields/definitions.ts';
import { originOf } from '../../site/account-link.ts';
import { formHandlers, type UserContext } from '../../site/contexts.ts';
import { formatCount } from '../../site/format.ts';
import { toViewer } from '../../site/layout.ts';
import { isOwnName } from '../events/item-changes.ts';
import type { ExportItems } from '../export/item-export.ts';
import { type FileBytes, readBytes } from '../files/file-bytes.ts';
import type { Items } from '../item.ts';
import type { ItemFiles } from '../item-files.ts';
import type { Item } from '../item-rows.ts';
import { withOwnColumns } from '../own-columns.ts';
import { type ChosenItems, readTicked } from '../ticked-numbers.ts';
import type { LabelChoices } from './label-choices.ts';
import { labelCss } from './label-css.ts';
import {
  isBuiltIn,
  type LabelFields,
  type LabelText,
  labelForm,
  MAX_LABELS,
  TOO_MANY,
  toSheet,
  toSheetText,
} from './label-form.ts';
import { labelFormPage, labelsPage } from './label-page.ts';
import { labelPdf } from './label-pdf.ts';
import { type Label, type LabelledPlace, labelOfItem, labelOfPlace } from './label-texts.ts';
import {
  type ChosenLabels,
  readChosenLabels,
  readLabelChoice,
  writeLabelChoice,
} from './read-labels.ts';
import { isSheetName, labelsOf, MEASURES } from './sheets.ts';

export interface LabelOptions {
  readonly items: Items;
  readonly exportItems: ExportItems;
  readonly labelChoices: LabelChoices;
  /** The places with these ids, in their order by name. */
  readonly labelledPlaces: (ids: readonly number[]) => Promise<readonly LabelledPlace[]>;
  readonly itemFiles: Pick<ItemFiles, 'findSmall'>;
  readonly files: FileBytes;
  readonly publicOrigin: string | null;
}

/** Bytes of the picture of a list: some thousand are usual. */
const MAX_SMALL = 100_000;

/** Before an account has chosen anything. */
const FIRST_CHOICE = 'texts=number.location';

export function createLabelController(options: LabelOptions) {
  const { items, exportItems, labelChoices, labelledPlaces, publicOrigin } = options;
  const { itemFiles, files } = options;

  // Without a field of the team's own, nothing is read for them.
  const toForm = ({ typed }: { readonly typed: URLSearchParams }) => {
    const namesOwn = typed.getAll('texts').some(isOwnName);
    const { definitions } = items;
    return andThen(namesOwn ? definitions.read() : definitions.known(), labelForm);
  };
  const labels = formHandlers(toForm, {
    name: 'chooseLabels',
    async load(context) {
      const chosen = readChosenLabels(context.request.query);
      return { chosen, count: await countChosen(chosen) };
    },
    async fill({ session }) {
      const { sheetText, sheet, texts, edges } = readLabelChoice(
        new URLSearchParams((await labelChoices.find(session.user.id)) || FIRST_CHOICE),
      );
      const own = Object.fromEntries(MEASURES.map((name) => [name, String(sheet[name])]));
      const names = (await readOwnFields(texts)).map(({ name }) => name);
      return {
        sheet: isSheetName(sheetText) ? { choice: sheetText } : { choice: 'own', own },
        texts: [...texts.filter(isBuiltIn), ...names],
        edges: edges ? 'on' : '',
      };
    },
    show({ chosen, count, form, errors, ...context }) {
      const { request } = context;
      const short = chosen.places === '' ? shortItemHref(17) : shortPlaceHref(17);
      const sample = `${originFor(request)}${short}`;
      return labelFormPage({ viewer: toViewer(context), chosen, count, sample, form, errors });
    },
    async check({ values, ...context }) {
      const { sheet, start = 1, copies = 1 } = values;
      const count = await countChosen(readChosenLabels(context.request.query));
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
      return labelsPageHref(readChosenLabels(context.request.query), choice);
    },
  });

  function originFor(request: Request): string {
    return publicOrigin ?? originOf(request);
  }

  /** Null while too many searches run. */
  async function countChosen(chosen: ChosenLabels): Promise<number | null> {
    const named = chosen.places || chosen.ticked;
    if (named !== '') return readTicked(named).length;
    try {
      return (await items.list(1, chosen)).itemCount;
    } catch (error) {
      if (!(error instanceof QueueFull)) throw error;
      return null;
    }
  }

  /** One for each label, and more than `MAX_LABELS` if there are too many. */
  async function readLabels({ request }: UserContext) {
    const chosen = readChosenLabels(request.query);
    const choice = readLabelChoice(request.query);
    const { copies, texts } = choice;
    const own = await readOwnFields(texts);
    const each =
      chosen.places === ''
        ? (await readItems(chosen, own)).map((item) => labelOfItem(item, texts, own))
        : (await labelledPlaces(readTicked(chosen.places))).map((one) => labelOfPlace(one, texts));
    const all = each.flatMap((label) => Array<Label>(copies).fill(label)).slice(0, MAX_LABELS + 1);
    const isTooMany = all.length > MAX_LABELS;
    return { chosen, choice, labels: all, isTooMany, origin: originFor(request) };
  }

  /** The chosen ones that there are, in their order. */
  async function readOwnFields(texts: readonly LabelText[]): Promise<readonly OwnField[]> {
    if (!texts.some(isOwnName)) return [];
    const { fields } = await items.definitions.read();
    return fields.filter(({ name }) => texts.includes(name));
  }

  async function readItems(
    chosen: ChosenItems,
    fields: readonly OwnField[],
  ): Promise<readonly Item[]> {
    const ticked = readTicked(chosen.ticked);
    const all = [...(await items.findMany(ticked))];
    for await (const batch of ticked.length > 0 ? [] : await exportItems(chosen)) {
      all.push(...batch);
      if (all.length > MAX_LABELS) break;
    }
    const names = fields.map(({ name }) => name);
    return withOwnColumns(items, all.slice(0, MAX_LABELS + 1), names, { fields });
  }

  const showLabels: Handler<UserContext> = async (context) => {
    const view = await readLabels(context);
    return page(labelsPage({ viewer: toViewer(context), ...view }), view.isTooMany ? 400 : 200);
  };

  const showLabelPdf: Handler<UserContext> = async (context) => {
    const view = await readLabels(context);
    const { choice, labels: all, origin, isTooMany } = view;
    if (isTooMany || all.length === 0)
      return page(labelsPage({ viewer: toViewer(context), ...view }), isTooMany ? 400 : 404);
    const readPicture = await findPictures(all);
    const file = await labelPdf(all, choice, { origin, readPicture });
    return download(context, file, { name: 'labels.pdf', type: 'application/pdf', inline: true });
  };

  /** The pictures of a list: small ones, because a page of them is in memory. */
  async function findPictures(all: readonly Label[]) {
    const found = await itemFiles.findSmall(all.flatMap(({ picture }) => picture?.file ?? []));
    return async (file: number): Promise<Uint8Array | null> => {
      const stored = found.get(file);
      return stored === undefined ? null : readBytes(files, stored, MAX_SMALL);
    };
  }

  const showLabelCss: Handler<UserContext> = ({ request }) => {
    const { sheet, texts } = readLabelChoice(request.query);
    return {
      status: 200,
      headers: { 'Content-Type': 'text/css; charset=utf-8', 'Cache-Control': 'private, no-cache' },
      body: labelCss(sheet, texts.includes('picture')),
    };
  };

  return { labels, showLabels, showLabelPdf, showLabelCss };
}
