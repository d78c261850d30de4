/** The files of items: adds, shows, serves and changes them. */
import { type Handler, HttpError, notFound, type Response } from 'seeother';
import { sendFile } from 'seeother/files';
import type { KyselyTransaction } from '../../database/kysely.ts';
import { action, filePageHref, itemHref } from '../../links.ts';
import type { PageContext, UserContext } from '../../site/contexts.ts';
import { formatCount } from '../../site/format.ts';
import { mayChangeItems, seesLinksToRemove, toViewer } from '../../site/layout.ts';
import { toRefusal } from '../events/change-refused.ts';
import type { Items } from '../item.ts';
import { type FileParams, fileFormHandlers, itemFormHandlers } from '../item-context.ts';
import { filesSeenBy, type ItemFiles } from '../item-files.ts';
import { noItem, type ShowMissingItem } from '../missing/missing-item.ts';
import { addFiles, changeFile, type FileChange, type MakeLater } from './change-files.ts';
import { checkFiles, headOf, tooManyFiles } from './check-files.ts';
import { addFilesForm, fileForm } from './file-forms.ts';
import { addFilesPage, filePage } from './file-pages.ts';

export interface FilesOptions {
  readonly items: Pick<Items, 'find'>;
  readonly itemFiles: ItemFiles;
  readonly showMissingItem: ShowMissingItem;
  readonly makeLater: MakeLater;
}

export function createFilesController(options: FilesOptions) {
  const { items, itemFiles, showMissingItem, makeLater } = options;

  const addPhotos = itemFormHandlers(addFilesForm, {
    name: 'addFiles',
    load: async ({ params }) => ({ item: await items.find(params.number) }),
    check: checkFiles,
    show({ item, form, isDraft, ...context }) {
      if (item === null) return showMissingItem(context);
      return addFilesPage({ viewer: toViewer(context), item, form, isDraft });
    },
    async send({ params: { number }, session, transaction, values: { files: sent } }) {
      if (sent.length === 0) return { errors: [{ field: 'files', message: 'Choose a file' }] };
      const author = session.user.id;
      try {
        const event = await addFiles(transaction, number, sent, { author, makeLater });
        const isPlain = sent.every((file) => headOf(file) === null);
        const one = isPlain ? 'document was' : 'photo was';
        const many = isPlain ? 'documents were' : 'photos were';
        const message = `${formatCount(sent.length, one, many)} added.`;
        return { path: itemHref(number), message, ...undoOf(number, event) };
      } catch (error) {
        const refusal = toRefusal(error);
        if (refusal.kind === 'many files') return tooManyFiles(refusal);
        return noItem(number);
      }
    },
  });

  /** Everybody who reads the item sees the page; the form is on it for those who may change it. */
  const changePhoto = fileFormHandlers(fileForm, {
    name: 'changeFile',
    load: async (context) => ({ found: await findFile(context) }),
    fill: ({ found }) => {
      const caption = found?.file.caption ?? '';
      return { caption, was: caption };
    },
    show({ found, form, isSent, ...context }) {
      if (found === null) return showMissingItem(context);
      const viewer = toViewer(context);
      return filePage({
        ...{ ...found, viewer, isSent },
        form: mayChangeItems(viewer) ? form : null,
        canRemoveForEver: seesLinksToRemove(viewer),
      });
    },
    send: {
      async save({ values: { caption, was }, ...context }) {
        const done = await change(context, { caption, was });
        return 'errors' in done ? done : { ...done, path: filePath(context) };
      },
      first: (context) => change(context, { move: 'first' }),
      earlier: (context) => change(context, { move: 'earlier' }),
      later: (context) => change(context, { move: 'later' }),
      remove: (context) => change(context, { remove: true }),
    },
  });

  async function change(
    { params: { number, file: id }, session, transaction }: SentFileContext,
    asked: FileChange,
  ) {
    try {
      const event = await changeFile(transaction, number, id, asked, session.user.id);
      const path = itemHref(number);
      if (event === null) return { path, message: 'Nothing was changed.' };
      return { path, message: messageOf(asked), ...undoOf(number, event) };
    } catch (error) {
      const refusal = toRefusal(error);
      if (refusal.kind === 'conflict') {
        const message =
          'The caption was changed meanwhile. Press “Save caption” again to replace it';
        return { errors: [{ field: 'caption', message }], status: 409 } as const;
      }
      if (refusal.kind === 'missing') return noItem(number);
      throw new HttpError(404, 'The file is no longer there. The history of the item says why.');
    }
  }

  /** Null for a file that this viewer does not see. */
  async function findFile(context: PageContext & FileParams) {
    const { number, file: id } = context.params;
    const item = await items.find(number);
    if (item === null) return null;
    const files = filesSeenBy(toViewer(context) !== null, await itemFiles.ofItem(number));
    const file = files.find((one) => one.id === id);
    return file === undefined ? null : { item, file, files };
  }

  const serveFile: Handler<PageContext & BytesParams> = async (context) => {
    const { number, file: id, hash } = context.params;
    const file = await itemFiles.find(number, id);
    const isSeen = file !== null && filesSeenBy(toViewer(context) !== null, [file]).length > 0;
    const stored = isSeen ? file.stored.get(hash) : undefined;
    if (file === null || stored === undefined) return noSuchFile(context);
    // Only a picture that was made here is shown in place.
    return sendFile(context, stored, { inline: file.kind === 'photo', sha256: hash });
  };

  /** It has the place where the photo was taken: for members. */
  const serveOriginal: Handler<UserContext & FileParams> = async (context) => {
    const { number, file: id } = context.params;
    const original = (await itemFiles.find(number, id))?.original ?? null;
    return original === null ? noSuchFile(context) : sendFile(context, original);
  };

  async function noSuchFile(context: PageContext & FileParams): Promise<Response> {
    const item = await items.find(context.params.number);
    return item === null ? showMissingItem(context) : notFound();
  }

  return { addPhotos, changePhoto, serveFile, serveOriginal };
}

type SentFileContext = UserContext & FileParams & { readonly transaction: KyselyTransaction };

interface BytesParams extends FileParams {
  readonly params: FileParams['params'] & { readonly hash: string };
}

function undoOf(number: number, event: number) {
  const path = action('/items/:number<int>/history/:event<int>/undo', { number, event });
  return { action: { label: 'Undo', path } };
}

function filePath({ params: { number, file } }: FileParams) {
  return filePageHref(number, file);
}

function messageOf({ move, remove }: FileChange): string {
  if (remove) return 'The file was removed.';
  if (move === 'first') return 'This is the picture now.';
  return move === undefined ? 'The caption was saved.' : 'The order was changed.';
}
