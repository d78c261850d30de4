/**
 * The files of a form in steps. They stay parked until all answers are sent, and not only until the form of their step
 * is: so they expire with the answers.
 */
import type { Context } from '../chain/context.ts';
import { parseFileText } from '../field/file-text.ts';
import { receivedSlot } from '../field/received-form.ts';
import { languageOf } from '../http/request-language.ts';
import { notFound, type Response } from '../http/response.ts';
import type { Entry } from '../http/urlencoded.ts';
import { sessionOf } from '../session/session.ts';
import type { StoresContext } from '../site/stores.ts';
import { sendRecord } from '../upload/send-file.ts';
import { ReceivedFile } from '../upload/uploaded-file.ts';
import type { ReachedStep, Reading, SentAnswers } from './steps.ts';

type FilesContext = Context & StoresContext<unknown>;

/** With the parked files of the user, and those of visitors. */
export function toReading(context: FilesContext): Reading {
  const [owner, all]: [string | null, ReceivedFile[]] = [ownerOf(context), []];
  const findFile = async (key: string) =>
    (await context.stores.files.resume(key, owner))?.joinForm(all) ?? null;
  return { language: languageOf(context.request), findFile };
}

/** The answers refer to their files. */
export async function parkFiles(
  context: FilesContext,
  answers: SentAnswers,
  expiresAt: Date,
): Promise<void> {
  const files = Object.values(answers).flatMap((sent) =>
    sent.flatMap(({ text, sha256 }) => (sha256 === undefined ? [] : [text])),
  );
  const received = await receivedSlot.of(context.request);
  await received?.park(files);
  const { records } = context.stores.files;
  for (const text of files) {
    const { key } = parseFileText(text);
    if (key !== null) await records.park(key, ownerOf(context), expiresAt);
  }
}

/** Sends the file of a field, for whoever may open the page of its step; a 404 if there is none. `at`: of several. */
export async function sendAnswered(
  { request }: Context,
  { entries }: Pick<ReachedStep, 'entries'>,
  path: string,
  at: string | null,
): Promise<Response> {
  const file = entries?.filter(({ name }) => name === path)[Number(at ?? 0)]?.file;
  if (!(file instanceof ReceivedFile)) return notFound();
  return sendRecord(request, file.record, { inline: true });
}

/** Removes the files that `send` has not kept. If that fails, they expire. */
export async function discardFiles(
  { stores }: FilesContext,
  entries: readonly Entry[],
): Promise<void> {
  await stores.files.discardUnkept(
    entries.flatMap(({ file }) => (file instanceof ReceivedFile ? [file] : [])),
  );
}

function ownerOf({ request }: Context): string | null {
  const id = sessionOf(request)?.user.id;
  return id === undefined ? null : String(id);
}
