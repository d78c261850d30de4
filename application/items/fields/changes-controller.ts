/** The pages of kinds and fields that everybody sees, and the Undo of their changes. */
import { createFormHandlers, formTag, type Handler, html, page, withFlash } from 'seeother';
import { fieldChangesHref, fieldsHref, undoFieldsAction } from '../../links.ts';
import { findBatchOf, UndoRefused, undoChange } from '../../own-fields/change-definitions.ts';
import type { DefinitionLog } from '../../own-fields/definition-log.ts';
import { buttonForm, openButton } from '../../site/button-form.ts';
import type { PageContext, UserContext } from '../../site/contexts.ts';
import { timeElement } from '../../site/format.ts';
import { layout, toViewer, type Viewer } from '../../site/layout.ts';
import { ChangeRefused } from '../events/change-refused.ts';
import { BatchRefused, type UndoneBatch, type UndoRest, undoBatch } from '../history/undo-batch.ts';
import type { Items } from '../item.ts';
import { parseNumber } from '../parse-number.ts';
import { changeDetails, describeChange } from './change-text.ts';
import { fieldsPage } from './fields-page.ts';
import { undoFieldsRefusedPage } from './undo-fields-refused-page.ts';

export interface FieldsOptions {
  readonly items: Pick<Items, 'definitions'>;
  readonly definitionLog: DefinitionLog;
  readonly undoRest: UndoRest;
}

const PAGE_SIZE = 50;

const changeFormHandlers = createFormHandlers<
  UserContext & { readonly params: { readonly id: number } }
>();

export function createFieldsController({ items, definitionLog, undoRest }: FieldsOptions) {
  const showFields: Handler<PageContext> = async (context) =>
    page(fieldsPage({ viewer: toViewer(context), definitions: await items.definitions.read() }));

  const showFieldChanges: Handler<PageContext> = async (context) => {
    const viewer = toViewer(context);
    const before = parseNumber(context.request.query.get('before') ?? '') ?? undefined;
    const known = await items.definitions.read();
    const changes = await definitionLog.list(PAGE_SIZE + 1, before);
    const shown = changes.slice(0, PAGE_SIZE);
    const next = changes.length > PAGE_SIZE ? shown.at(-1)?.id : undefined;
    return page(
      layout({
        title: 'Changes of kinds and fields – Items',
        viewer,
        section: 'items',
        main: html`<p class="back"><a href="${fieldsHref()}">← Kinds and fields</a></p>
<h1>Changes of kinds and fields</h1>
${
  shown.length === 0
    ? html`<p class="empty">Nothing was changed yet.</p>`
    : html`<ol class="events">
${shown.map(
  (
    change,
  ) => html`<li><p id="change-${change.id}"><strong>${change.by ?? 'An import'}</strong> ${describeChange(change)}</p>
${changeDetails(change, known)}<p class="details">${timeElement(change.at)}${change.isUndone ? ' · undone' : null}</p>
${change.isUndone || change.kind === 'undone' ? null : undoForm(change.id, viewer)}</li>\n`,
)}</ol>`
}
${next === undefined ? null : html`<p><a href="${fieldChangesHref(next)}">Earlier changes</a></p>`}`,
      }),
    );
  };

  const undoFields = changeFormHandlers(buttonForm, {
    name: 'undoFieldsChange',
    page: '/fields/changes',
    async act({ once, ...context }) {
      const { session, params } = context;
      const author = session.user.id;
      // Stays null if an earlier copy of the form was carried out, or no item was changed along.
      let begun = null as UndoneBatch | null;
      let batch = null as number | null;
      const path = fieldsHref();
      try {
        const answer = await once(async (transaction) => {
          begun = null;
          batch = await findBatchOf(transaction, params.id);
          // Before the definitions: every write locks the items first.
          if (batch !== null)
            begun = await undoBatch(transaction, batch, author).catch(nothingToUndo);
          const undone = await undoChange(transaction, params.id, author);
          const [first] = undone.changes;
          const what = undone.changes.length === 1 && first ? ` of “${first.name}”` : '';
          return { path, message: `The change${what} was undone.` };
        });
        if (begun === null || batch === null || begun.rest === 0) return answer;
        const { rest } = await undoRest(batch, author, begun);
        if (rest === 0) return answer;
        return withFlash(
          answer,
          'The change was undone. Some things still have the merged values: undo the rest in the history.',
        );
      } catch (error) {
        if (!(error instanceof UndoRefused || error instanceof BatchRefused)) throw error;
        return page(undoFieldsRefusedPage(toViewer(context), error), 409);
      }
    },
  });

  return { showFields, showFieldChanges, undoFields };
}

function undoForm(id: number, viewer: Viewer) {
  if (viewer?.role !== 'administrator') return null;
  return formTag(
    openButton(viewer),
    html`<button class="quiet" aria-describedby="change-${id}">Undo</button>`,
    { action: undoFieldsAction(id) },
  );
}

/** The history has undone the changes of all things before: the definitions are left. */
function nothingToUndo(error: unknown): null {
  if (error instanceof ChangeRefused && error.refusal.kind === 'already undone') return null;
  throw error;
}
