/** Why a file cannot be imported at all. The message is for the person who has chosen it. */
export class ImportRefused extends Error {
  override readonly name = 'ImportRefused';
}

/** For a file that is no text. */
export const HOW_TO_SAVE =
  'Save the table as CSV: in Excel, choose “File”, “Save As” and “CSV UTF-8”; in LibreOffice, “File”, “Save As” and “Text CSV”; in Numbers, “File”, “Export To” and “CSV”; in Google Sheets, “File”, “Download” and “Comma-separated values”.';
