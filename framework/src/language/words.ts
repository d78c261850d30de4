/**
 * All texts that the framework shows to people, in one list: a language that lacks one does not compile. Messages of
 * fields have no full stop. A label that stands in a message is in the language already.
 */

import type { AccountTexts } from './account-texts.ts';

/** Sizes are numbers of bytes. */
export interface Words {
  // Messages of fields. `label` is that of the field.
  readonly tooLong: (label: string, max: number) => string;
  readonly tooShort: (label: string, min: number) => string;
  readonly noWholeNumber: (label: string) => string;
  readonly outOfRange: (label: string, min: number, max: number) => string;
  readonly tooManyEntries: (label: string, max: number) => string;
  /** `entry` says what an entry of the list is, such as "Tag". */
  readonly entryTooLong: (entry: string, text: string, max: number) => string;
  readonly noChoice: (label: string) => string;
  readonly noChoices: (label: string) => string;
  readonly tooFewChoices: (label: string, min: number) => string;
  readonly tooManyChoices: (label: string, max: number) => string;
  readonly noButton: string;
  /** Of a field whose schema says no more. */
  readonly unusable: (label: string) => string;
  readonly unreadable: (label: string) => string;
  readonly hasNul: (label: string) => string;
  readonly sentTwice: (label: string) => string;
  /** Of a field that is no longer in the form, with what was typed into it. */
  readonly fieldGone: (label: string, text: string) => string;
  /** Before another sentence, or alone. */
  readonly fieldNew: (label: string) => string;
  readonly fileTooLarge: (label: string, max: number) => string;
  /** Together with the other files of the form. */
  readonly filesTooLarge: (label: string) => string;
  /** Of a field with several files. `names` are those of the files that it does not take. */
  readonly tooManyInField: (label: string, max: number, names: string) => string;
  readonly fileEmpty: (label: string) => string;
  /** `types` is such as "application/pdf or image/png". */
  readonly wrongFileType: (label: string, types: string) => string;
  readonly noEmail: (label: string) => string;
  readonly noUrl: (label: string) => string;
  readonly noTelephone: (label: string) => string;
  readonly noColor: (label: string) => string;
  /** Of numbers, dates and so on: all that is not a label is written in the language already. */
  readonly noNumber: (label: string, example: string) => string;
  readonly notInSteps: (label: string, step: string, example: string) => string;
  readonly notBetween: (label: string, least: string, most: string) => string;
  readonly tooSmall: (label: string, least: string) => string;
  readonly tooLarge: (label: string, most: string) => string;
  readonly tooEarly: (label: string, earliest: string) => string;
  readonly tooLate: (label: string, latest: string) => string;
  readonly noMoney: (label: string, example: string) => string;
  readonly noDate: (label: string, example: string) => string;
  /** Such as the 30th of February. */
  readonly noRealDate: (label: string) => string;
  /** One or two parts of a date that were left empty. */
  readonly datePartsMissing: (label: string, parts: readonly DatePart[]) => string;
  readonly noYear: (label: string) => string;
  readonly noMonth: (label: string, example: string) => string;
  readonly noTime: (label: string, example: string) => string;
  readonly noDateTime: (label: string, example: string) => string;
  readonly noDuration: (label: string, example: string) => string;
  /** The labels of inputs that make one field. */
  readonly inputs: Readonly<
    Record<DatePart | 'hours' | 'minutes' | 'amount' | 'currency' | 'dateTime' | 'zone', string>
  >;

  // Messages of rows and of whole forms
  readonly tooFewRows: (label: string, min: number) => string;
  readonly formUnreadable: string;
  /** Of a form whose schema says no more. */
  readonly formUnusable: string;

  // Around fields
  /** Behind the label of a field that may be left empty. */
  readonly optional: string;
  /** In place of radio buttons and checkboxes. */
  /** In place of a chosen label. */
  readonly choiceGone: string;
  /** Of a button that leads to the form which adds a choice. */
  readonly tooLongToLeave: string;
  readonly cannotLeave: string;
  readonly noChoicesYet: string;
  /** To a screen reader: how many choices a search has found. `count` is a text. */
  readonly found: (count: string) => string;
  /** Heads the list of errors. */
  readonly problem: string;
  /** Before the message of a field, where only screen readers find it. */
  readonly error: string;
  /** The title of a page whose form was refused. */
  readonly errorTitle: (title: string) => string;
  readonly chooseAgain: (fileName: string) => string;
  readonly onlyFirst: (characters: number) => string;

  /** The message for a field in a row, whose name is such as "Participant 2". */
  readonly inRow: (row: string, message: string) => string;
  readonly addAnother: string;
  readonly remove: string;
  readonly moveUp: string;
  /** Behind the text of such a button, for screen readers: which row it is. */
  readonly ofRow: (name: string) => string;
  /** The same for a name as somebody gave it: of the file that a button removes, or of a row with a title. */
  readonly ofFile: (fileName: string) => string;
  readonly rowsFull: (label: string, max: number) => string;
  /** Of answers that the page of all answers has no space for. */
  readonly moreAnswers: (count: number) => string;
  readonly answersTooLong: string;
  /** Of a form with more rows than its page can show; `lost` of them are not even kept. */
  readonly rowsKept: (label: string, count: number, lost: number) => string;
  readonly send: string;
  readonly tables: TableWords;

  // Forms that are saved while one types
  readonly saveForLater: string;
  /** Before a time, such as "12:04", or "2 minutes ago". */
  readonly saved: string;
  /** `when` is such as "2 minutes ago". */
  readonly savedOpened: (when: string) => string;
  readonly startAnew: string;
  /** Of what another tab or device had saved. */
  readonly savedInstead: (when: string) => string;
  readonly tooLongToSave: string;
  readonly filesNotSaved: string;
  /** The label of the progress of an upload. */
  readonly uploading: string;
  readonly cancelUpload: string;

  // Links between the pages of a list
  readonly pages: string;
  readonly firstPage: string;
  readonly previousPage: string;
  readonly nextPage: string;
  readonly lastPage: string;
  /** `pageCount` is null if it is not known. */
  readonly pageOf: (page: number, pageCount: number | null) => string;

  // Lists
  /** Of the form above a list, and of the links that remove what it has set. */
  readonly filters: string;
  readonly applyFilters: string;
  readonly removeFilters: string;
  readonly entryCount: (count: number) => string;
  readonly listEmpty: string;
  readonly noEntries: string;
  /** `label` is that of the column. */
  readonly sortedBy: (label: string, direction: 'asc' | 'desc') => string;
  readonly downloadCsv: string;
  /** Heads the checkboxes of the rows. */
  readonly ticks: string;
  readonly tickAll: string;
  readonly untickAll: string;

  // Error pages
  readonly titles: StatusTexts<400 | 401 | 403 | 404 | 409 | 413 | 415 | 421 | 422 | 429 | 503>;
  readonly advice: StatusTexts<400 | 401 | 403 | 404 | 409 | 413 | 415 | 421 | 429>;
  /** Instead of those of 403, for a form that another site seems to have sent. */
  readonly crossOriginTitle: string;
  readonly crossOriginAdvice: string;
  /** What happened, if nothing more is known. */
  readonly pageFailed: string;
  readonly nothingSaved: string;
  /** A form that may be sent again, because it counts once. */
  readonly unknownIfSaved: string;
  readonly checkIfSaved: string;
  readonly whatYouTyped: string;
  /** A link to the log-in. */
  readonly logIn: string;
  readonly filledAfterLogIn: string;
  /** The button that sends a refused form again. */
  readonly tryAgain: string;
  /** Of a text that is shown in part. */
  readonly beginningOf: (label: string) => string;
  /** Before the number by which the error is found in the log. */
  readonly reference: string;

  // Reasons on error pages, which are whole sentences
  readonly nothingHere: string;
  /** What is wrong with the address of a request. */
  readonly addressFlaws: Readonly<
    Record<'unescaped' | 'notUtf8' | 'control' | 'noSlash' | 'otherHost' | 'onlyForOptions', string>
  >;
  readonly wrongAddress: string;
  readonly rightAddress: (origin: string) => string;
  readonly notFromThisSite: string;
  /** Of a post that a program was to sign. */
  readonly notProven: string;
  /** Of a program's post that is proved. */
  readonly dataUnusable: string;
  readonly notLoggedIn: string;
  readonly accountChanged: string;
  /** After a log-in. */
  readonly cookieNotKept: string;
  /** `name` is that of a cookie that the browser sends twice. */
  readonly cookieTwice: (name: string) => string;
  readonly bodyTooLarge: (max: number) => string;
  readonly textTooLarge: (max: number) => string;
  readonly tooManyFields: (max: number) => string;
  readonly tooManyFiles: (max: number) => string;
  /** What is wrong with the encoding of a form. */
  readonly formFlaws: Readonly<
    Record<'noBoundary' | 'endsEarly' | 'longName' | 'wrongRow', string>
  >;
  readonly keyUnusable: string;
  /** Of a form whose hidden fields are newer than its text. */
  readonly typedEarlier: string;
  /** Of a form that was opened from another account. `name` is the user now; null if nobody is logged in. */
  readonly otherAccount: (name: string | null) => string;
  /** `type` is null if it was sent without one. */
  readonly wrongType: (expected: string, type: string | null) => string;
  readonly compressed: (coding: string) => string;
  readonly noJson: (maxDepth: number) => string;
  /** `pointer` names a place in the JSON, such as `#/lines/0/name`. */
  readonly wrongJson: (pointer: string) => string;
  /** Of the header by which a post of JSON counts once. */
  readonly idempotencyKeyUnusable: string;
  readonly keyReused: string;
  readonly cutShort: string;
  readonly tooMuchSent: string;
  readonly tooManyRequests: string;
  readonly tooManySent: string;
  /** `duration` is such as "5 minutes". */
  readonly tryAgainIn: (duration: string) => string;
  readonly databaseAway: string;
  readonly databaseLost: string;
  readonly diskFull: string;
  readonly diskBroken: string;
  readonly diskFailed: string;
  readonly fileNotStored: string;
  readonly fileNotRead: string;
  readonly fileExpired: (fileName: string) => string;
  readonly tooSlow: string;

  /** The texts of accounts by what stands in their code; null for English. */
  readonly accounts: AccountTexts | null;

  // Passwords, and attempts that may be guesses
  readonly passwords: PasswordWords;

  /** The table of what forms have changed. `nobody` is a visitor, or a name that was removed. */
  readonly audit: Readonly<Record<'field' | 'before' | 'after' | 'nothing' | 'nobody', string>>;

  // Forms in steps
  readonly nextStep: string;
  readonly stepBack: string;
  /** Of a link that leads to one answer. */
  readonly change: string;
  readonly checkAnswers: string;
  /** `total` is null while it depends on answers to come. */
  readonly stepNumber: (number: number, total: number | null) => string;
  /** The name of the list of all steps. */
  readonly allSteps: string;
  /** `waiting` depends on answers that are missing. */
  readonly stepStates: Readonly<Record<'done' | 'missing' | 'waiting' | 'notNeeded', string>>;
  readonly notAnswered: string;
  readonly noRows: string;
  readonly ticked: string;
  readonly notTicked: string;
  readonly answersChanged: string;
  readonly answersGone: string;
  /** The browser is another one, or has no cookies. */
  readonly answersElsewhere: string;
  readonly answersSent: string;
  /** `name` is the user now. */
  readonly answersOfOther: (name: string) => string;
  readonly stepLeftOut: string;

  /** What the script of passkeys says, in whole sentences. */
  readonly passkey: {
    /** The user has cancelled it, or did not answer in time: browsers do not tell which. */
    readonly cancelled: string;
    /** The device or password manager has a passkey of the account already. */
    readonly known: string;
    readonly failed: string;
    readonly unsupported: string;
  };
}

/** Those of new passwords are messages of fields. */
export interface PasswordWords {
  readonly common: string;
  /** It is the name or the address of its user, or the name of the site. */
  readonly personal: string;
  readonly breached: string;
  readonly different: string;
  readonly busy: string;
  readonly tooMany: Readonly<
    Record<
      | 'log-in'
      | 'passkey'
      | 'second factor'
      | 'recovery code'
      | 'reset'
      | 'mail link'
      | 'registration',
      string
    >
  >;
}

/** Of tables that were saved or copied from a spreadsheet: why one cannot be read, and how it was read. */
export interface TableWords {
  readonly isWorkbook: string;
  readonly isOther: Readonly<Record<OtherKind, string>>;
  readonly isEmpty: string;
  readonly notText: string;
  readonly notTable: string;
  readonly brokenUtf16: string;
  readonly brokenUtf8: string;
  readonly tooManyColumns: (count: number, max: number) => string;
  readonly tooManyRows: (max: number) => string;
  readonly longHeading: (beginning: string, max: number) => string;
  readonly longRow: (line: number, max: number) => string;
  readonly wrongQuotes: (max: number, line: number) => string;
  /** `above` are the first texts of the rows above the headings. */
  readonly headingsBelow: (line: number, above: readonly string[]) => string;
  readonly notUtf8: (encoding: string, words: readonly string[]) => string;
  /** `more` are the rows that are not among the texts. */
  readonly quotesAsText: (
    rows: readonly { readonly line: number; readonly text: string }[],
    more: number,
  ) => string;
  /** Of a column without a heading. */
  readonly column: (number: number) => string;

  // Around the rows of a form
  readonly paste: string;
  readonly cells: string;
  /** `columns` are the labels of the fields. */
  readonly cellsHint: (columns: readonly string[]) => string;
  /** The button. */
  readonly fill: string;
  readonly nothingToFill: string;
  /** Of a form that was sent with cells in it. */
  readonly notFilled: string;
  readonly noYesOrNo: (label: string, text: string) => string;
  readonly noSuchChoice: (label: string, text: string) => string;
  readonly rowsAdded: (count: number) => string;
  readonly cellsToCheck: (count: number) => string;
  /** Beside the field of the cells. */
  readonly rowsLeft: (count: number) => string;
  /** Of a file, whose rows the page does not show. */
  readonly rowsOfFileLeft: (count: number) => string;
  readonly noHeadings: (columns: readonly string[]) => string;
  readonly unknownColumns: (columns: readonly string[]) => string;
}

/** What is taken for a table. */
export type OtherKind = 'html' | 'mhtml' | 'xml' | 'json' | 'rtf' | 'pdf';

/** What a date consists of. */
export type DatePart = 'day' | 'month' | 'year';

/** Texts for statuses, and one for all others. */
export type StatusTexts<Status extends number = never> = Readonly<Record<Status, string>> & {
  readonly other: string;
};
