/** Why a file cannot be imported at all. The message is for the person who has chosen it. */
export class ImportRefused extends Error {
  override readonly name = 'ImportRefused';
}
