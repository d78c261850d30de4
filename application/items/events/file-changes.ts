/** What a change did to the files of an item, as the history has it and in words. */

export interface RecordedFile {
  readonly id: number;
  readonly position: number;
  /** As it was sent. Empty if the file was removed for ever. */
  readonly name: string;
  readonly caption: string;
  readonly isPhoto: boolean;
}

/** Those that differ: one that was added has no old state, one that was removed no new one. */
export type FileChanges = readonly [old: readonly RecordedFile[], new: readonly RecordedFile[]];

/** Whether a file of the change was removed for ever, so that the change cannot be undone. */
export function lacksFiles(files: FileChanges | undefined): boolean {
  return files?.flat().some(({ name }) => name === '') ?? false;
}

/** "added 2 photos", "removed the document “manual.pdf”", "put the photo “front” first". */
export function describeFiles([before, after]: FileChanges): string {
  const added = after.filter(({ id }) => !before.some((one) => one.id === id));
  const removed = before.filter(({ id }) => !after.some((one) => one.id === id));
  if (added.length > 0) return `added ${nameFiles(added)}`;
  if (removed.length > 0) return `removed ${nameFiles(removed)}`;
  const captioned = after.filter(
    ({ id, caption }) => before.find((one) => one.id === id)?.caption !== caption,
  );
  const [one] = captioned;
  if (one === undefined) return 'changed the order of the files';
  const what = one.isPhoto ? 'photo' : 'document';
  return one.caption === ''
    ? `removed the caption of a ${what}`
    : `described a ${what}: “${one.caption}”`;
}

/** One by its caption or name; several by their number. */
function nameFiles(files: readonly RecordedFile[]): string {
  const [one] = files;
  const photos = files.filter(({ isPhoto }) => isPhoto).length;
  const noun = photos === files.length ? 'photo' : photos === 0 ? 'document' : 'file';
  if (one === undefined || files.length > 1) return `${files.length} ${noun}s`;
  const text = one.caption || one.name;
  return text === '' ? `a ${noun}` : `the ${noun} “${text}”`;
}
