/** English. The error log has its texts too, whatever the language of a request is. */
import { createLanguage, type Language } from './language.ts';

/** For a table that was saved in another way. */
const HOW_TO_SAVE =
  'Save the table as CSV: in Excel, choose “File”, “Save As” and “CSV UTF-8”; in LibreOffice, “File”, “Save As” and “Text CSV”; in Numbers, “File”, “Export To” and “CSV”; in Google Sheets, “File”, “Download” and “Comma-separated values”';
const HOW_TO_CONVERT = `Open it with a spreadsheet program. ${HOW_TO_SAVE}`;

/** The language of a site that is told no other. */
export const english: Language = createLanguage({
  code: 'en',
  writeWords: ({ formatNumber, formatSize, plural }) => {
    const characters = (count: number) =>
      `${formatNumber(count)} ${plural(count, { one: 'character', other: 'characters' })}`;
    return {
      tooLong: (label, max) => `${label} must be ${characters(max)} or less`,
      tooShort: (label, min) => `${label} must be ${characters(min)} or more`,
      noWholeNumber: (label) => `${label} must be a whole number, like 3`,
      outOfRange: (label, min, max) =>
        `${label} must be between ${formatNumber(min)} and ${formatNumber(max)}`,
      tooManyEntries: (label, max) => `${label} must be ${formatNumber(max)} or fewer`,
      entryTooLong: (entry, text, max) => `${entry} “${text}” must be ${characters(max)} or less`,
      noChoice: (label) => `Choose “${label}” again: what you chose is no longer available`,
      noChoices: (label) =>
        `Choose “${label}” again: some of what you chose is no longer available`,
      tooFewChoices: (label, min) => `Choose at least ${formatNumber(min)} of ${label}`,
      tooManyChoices: (label, max) => `Choose at most ${formatNumber(max)} of ${label}`,
      noButton: 'Use one of the buttons',
      unusable: (label) => `${label} cannot be used; enter another one`,
      unreadable: (label) => `${label} has characters that could not be read; type it again`,
      hasNul: (label) => `${label} must not contain a NUL character`,
      sentTwice: (label) => `${label} was sent twice; send it once`,
      fieldGone: (label, text) =>
        `“${label}” is no longer part of this form. You had entered: ${text}`,
      fieldNew: (label) => `“${label}” is new in this form`,
      fileTooLarge: (label, max) => `${label} must be ${formatSize(max)} or less`,
      filesTooLarge: (label) => `${label} is too large together with the other files`,
      tooManyInField: (label, max, names) =>
        `${label} can have ${formatNumber(max)} ${plural(max, { one: 'file', other: 'files' })}. Left out: ${names}`,
      fileEmpty: (label) => `${label} is empty`,
      wrongFileType: (label, types) => `${label} must be ${types}`,
      noEmail: (label) => `${label} must be an email address, like name@example.com`,
      noUrl: (label) => `${label} must be a web address, like https://example.com`,
      noTelephone: (label) => `${label} must be a telephone number, like 01632 960 001`,
      noColor: (label) => `${label} must be a colour, like #1d70b8`,
      noNumber: (label, example) => `${label} must be a number, like ${example}`,
      notInSteps: (label, step, example) => `${label} must be in steps of ${step}, like ${example}`,
      notBetween: (label, least, most) => `${label} must be between ${least} and ${most}`,
      tooSmall: (label, least) => `${label} must be ${least} or more`,
      tooLarge: (label, most) => `${label} must be ${most} or less`,
      tooEarly: (label, earliest) => `${label} must be ${earliest} or later`,
      tooLate: (label, latest) => `${label} must be ${latest} or earlier`,
      noMoney: (label, example) => `${label} must be an amount, like ${example}`,
      noDate: (label, example) => `${label} must be a date, like ${example}`,
      noRealDate: (label) => `${label} must be a real date`,
      datePartsMissing: (label, parts) =>
        `${label} must include ${parts.map((part) => `a ${part}`).join(' and ')}`,
      noYear: (label) => `${label} must have a year of 4 digits, like 2026`,
      noMonth: (label, example) => `${label} must be a month, like ${example}`,
      noTime: (label, example) => `${label} must be a time, like ${example}`,
      noDateTime: (label, example) => `${label} must be a date and a time, like ${example}`,
      noDuration: (label, example) => `${label} must be hours and minutes, like ${example}`,
      inputs: {
        day: 'Day',
        month: 'Month',
        year: 'Year',
        hours: 'Hours',
        minutes: 'Minutes',
        amount: 'Amount',
        currency: 'Currency',
        dateTime: 'Date and time',
        zone: 'Time zone',
      },

      tooFewRows: (label, min) => `Add at least ${formatNumber(min)} of ${label}`,
      formUnreadable: 'This form could not be read. Send it again',
      formUnusable: 'Change something in the form and send it again',

      choiceGone: 'No longer available',
      tooLongToLeave:
        'What you have typed is too long to be kept meanwhile: shorten it, or send this form first',
      cannotLeave:
        'What you have typed cannot be kept meanwhile: try again later, or send this form first',
      noChoicesYet: 'There are no choices',
      found: (count) => `${count} found`,
      optional: '(optional)',
      problem: 'There is a problem',
      error: 'Error:',
      errorTitle: (title) => `Error: ${title}`,
      chooseAgain: (fileName) => `Choose the file “${fileName}” again`,
      onlyFirst: (count) => `Only the first ${characters(count)} are shown here`,
      inRow: (row, message) => `${row}: ${lowerFirst(message)}`,
      addAnother: 'Add another',
      remove: 'Remove',
      moveUp: 'Move up',
      ofRow: (name) => ` ${lowerFirst(name)}`,
      ofFile: (fileName) => ` ${fileName}`,
      rowsKept: (label, count, lost) =>
        `This page is too short for ${formatNumber(count)} more rows of ${label}. ${lost === 0 ? 'They are kept, and sent with the form.' : `${formatNumber(lost)} of them are left out.`}`,
      moreAnswers: (count) =>
        `${formatNumber(count)} more answers are not shown here. They are sent, too.`,
      answersTooLong: 'These answers are too long to be stored. Shorten them, and send them again.',
      rowsFull: (label, max) => `${label} can be ${formatNumber(max)} at most.`,
      send: 'Send',
      saveForLater: 'Save for later',
      saved: 'Saved',
      savedOpened: (when) => `This is what you typed before. It was saved ${when}.`,
      startAnew: 'Start anew',
      savedInstead: (when) => `This replaces what another tab or device had saved ${when}.`,
      tooLongToSave: 'This form is too long to be saved. Send it instead.',
      filesNotSaved: 'Files are not saved: choose them when you send the form.',
      uploading: 'Uploading',
      cancelUpload: 'Cancel the upload',
      tables: {
        isWorkbook: `The file is a workbook. ${HOW_TO_SAVE}`,
        isOther: {
          html: `This is a web page (HTML), and not a table. ${HOW_TO_CONVERT}`,
          mhtml: `This is a web page (MHTML), and not a table. ${HOW_TO_CONVERT}`,
          xml: `This is XML, and not a table. ${HOW_TO_CONVERT}`,
          json: `This is JSON, and not a table. ${HOW_TO_CONVERT}`,
          rtf: `This is a text document (RTF), and not a table. ${HOW_TO_CONVERT}`,
          pdf: `This is a PDF, and not a table. ${HOW_TO_CONVERT}`,
        },
        isEmpty: 'The table is empty. Its first line names the columns',
        notText: `The file is not text. ${HOW_TO_SAVE}`,
        notTable: `This is not a table. ${HOW_TO_SAVE}`,
        brokenUtf16: 'The file is damaged: it is not text in UTF-16',
        brokenUtf8:
          'The file is damaged: most of it is in UTF-8, and some of it is not. Save it as “CSV UTF-8” again',
        tooManyColumns: (count, max) =>
          `The table has ${formatNumber(count)} columns, and at most ${formatNumber(max)} can be read. Remove some`,
        tooManyRows: (max) => `The table has more than ${formatNumber(max)} rows. Split it`,
        longHeading: (beginning, max) =>
          `The heading “${beginning}…” is longer than ${characters(max)}. The first line must name the columns`,
        longRow: (line, max) => `The row on line ${line} is longer than ${characters(max)}`,
        wrongQuotes: (max, line) =>
          `The quotes are wrong on more than ${formatNumber(max)} lines, the first of which is line ${line}. A quoted cell must begin and end with a quote, and a quote inside it is doubled`,
        headingsBelow: (line, above) =>
          `The headings are on line ${line}. What stands above them was left out: ${above.map((text) => `“${text}”`).join(', ')}`,
        notUtf8: (encoding, words) =>
          `The file is not in UTF-8. It was read as ${encoding}: ${words.map((word) => `“${word}”`).join(', ')}`,
        quotesAsText: (rows, more) =>
          `The quotes are wrong and were read as text on ${rows.map(({ line, text }) => `line ${line} (${text})`).join(', ')}${more === 0 ? '' : ` and ${formatNumber(more)} more`}`,
        column: (number) => `Column ${formatNumber(number)}`,
        paste: 'Fill in from a spreadsheet',
        cells: 'Paste cells from a spreadsheet',
        cellsHint: (columns) =>
          `Copy the cells with their headings, such as ${columns.join(', ')}. Without headings, the columns must be in this order.`,
        fill: 'Fill in the rows',
        nothingToFill: 'Paste some cells first',
        notFilled: 'Use “Fill in the rows”, or empty this field',
        noYesOrNo: (label, text) => `${label} must be yes or no, and not “${text}”`,
        noSuchChoice: (label, text) => `“${text}” is none of the choices of ${label}`,
        rowsAdded: (count) =>
          `${formatNumber(count)} ${plural(count, { one: 'row was', other: 'rows were' })} added`,
        cellsToCheck: (count) =>
          `${formatNumber(count)} ${plural(count, { one: 'cell needs', other: 'cells need' })} a look`,
        rowsLeft: (count) =>
          `There is no space for ${formatNumber(count)} more ${plural(count, { one: 'row', other: 'rows' })}. Empty “Paste cells from a spreadsheet” to leave out what is still in it`,
        rowsOfFileLeft: (count) =>
          `There is no space for ${formatNumber(count)} more ${plural(count, { one: 'row of the file, which was', other: 'rows of the file, which were' })} left out`,
        noHeadings: (columns) =>
          `No headings were found, so the columns were taken in this order: ${columns.join(', ')}`,
        unknownColumns: (columns) =>
          `No field is called like these columns, which were left out: ${columns.map((one) => `“${one}”`).join(', ')}`,
      },

      pages: 'Pages',
      firstPage: 'First',
      previousPage: 'Previous',
      nextPage: 'Next',
      lastPage: 'Last',
      pageOf: (page, pageCount) =>
        `Page ${formatNumber(page)}${pageCount === null ? '' : ` of ${formatNumber(pageCount)}`}`,

      filters: 'Filters',
      applyFilters: 'Apply',
      removeFilters: 'Remove all filters',
      entryCount: (count) =>
        `${formatNumber(count)} ${plural(count, { one: 'entry', other: 'entries' })}`,
      listEmpty: 'Nothing here yet.',
      noEntries: 'Nothing matches.',
      sortedBy: (label, direction) =>
        `Sorted by ${label}, ${direction === 'asc' ? 'ascending' : 'descending'}`,
      downloadCsv: 'Download as CSV',
      ticks: 'Ticked',
      tickAll: 'Tick all on this page',
      untickAll: 'Untick all',

      titles: {
        400: 'We couldn’t read that request',
        401: 'Log in to continue',
        403: 'You may not do this',
        404: 'Page not found',
        409: 'That is not possible now',
        413: 'That is too big',
        415: 'That is not a form',
        421: 'This is not the address of this site',
        422: 'We can’t accept that',
        429: 'Too many attempts',
        503: 'We can’t do that right now',
        other: 'Something went wrong on our side',
      },
      advice: {
        400: 'Go back, reload the page, and send the form again.',
        401: 'Log in, then send the form again.',
        403: 'If you need to do it, ask the people who run this site.',
        404: 'Check the address.',
        409: 'Check what the page shows now, then send the form again.',
        413: 'Shorten what you typed.',
        415: 'Use the form on the page.',
        421: 'Check the address.',
        429: 'Wait a little, then try again.',
        other: 'Try again in a minute.',
      },
      crossOriginTitle: 'You can’t do that from here',
      crossOriginAdvice: 'Open the form on this site, and send it from there.',
      pageFailed: 'We couldn’t load this page. It’s not your fault.',
      nothingSaved: 'Nothing was saved or changed.',
      unknownIfSaved:
        'We don’t know whether it was saved. You can send the same form again: it is saved only once.',
      checkIfSaved: 'What you sent may not have been saved. Check before you send it again.',
      whatYouTyped: 'What you typed',
      logIn: 'Log in',
      filledAfterLogIn: 'After that the form is filled as you sent it, and you can send it.',
      tryAgain: 'Try again',
      beginningOf: (label) => `${label} (the beginning)`,
      reference: 'Reference:',

      nothingHere: 'Not found: there is nothing at this address.',
      addressFlaws: {
        unescaped: 'The address contains a character that must be escaped.',
        notUtf8: 'The address contains a percent escape that is not UTF-8.',
        control: 'The address contains a control character.',
        noSlash: 'The address does not start with a slash.',
        otherHost: 'The address and the Host header name different hosts.',
        onlyForOptions: 'The address * is valid only for OPTIONS.',
      },
      wrongAddress: 'This site can’t be opened at this address.',
      rightAddress: (origin) => `Its address is ${origin}.`,
      notFromThisSite: 'The form was not sent from this site.',
      notProven: 'The sender of this message could not be verified.',
      dataUnusable: 'The data of this message could not be used.',
      notLoggedIn: 'You are not logged in, or your session has ended.',
      cookieNotKept:
        'You are not logged in: your browser keeps no cookies of this site. Allow them, and log in again.',
      cookieTwice: (name) =>
        `You are not logged in: your browser sends two cookies named ${name}, one of them of another site. Delete the cookies of this site and of its domain, and log in again.`,
      accountChanged:
        'Your password was changed, or your account was disabled, while you were logging in.',
      bodyTooLarge: (max) =>
        `What you sent is larger than the ${formatNumber(max)} bytes that this site accepts.`,
      textTooLarge: (max) =>
        `The text that you sent is larger than the ${formatNumber(max)} bytes that this site accepts.`,
      tooManyFiles: (max) => `The form has more than ${formatNumber(max)} files.`,
      formFlaws: {
        noBoundary: 'The form cannot be read: its header names no boundary.',
        endsEarly: 'The form cannot be read: it ends in the middle.',
        longName: 'The form cannot be read: the name of a field has more than 1,000 characters.',
        wrongRow: 'The form cannot be read: a row has a wrong number.',
      },
      tooManyFields: (max) => `The form has more than ${formatNumber(max)} fields.`,
      otherAccount: (name) =>
        name === null
          ? 'You opened this form while you were logged in, and you are logged out now. Nothing was saved. Log in, or send it again without an account'
          : `This form was opened from another account, and you are logged in as ${name} now. Nothing was saved. Check it, and send it again to do it as ${name}`,
      typedEarlier:
        'Your browser loaded this page again and kept what you had typed, and what the page shows has changed since. Nothing was saved. Check the form, and send it again',
      keyUnusable:
        'The field _once must be 1 to 255 ASCII characters without spaces, or be left out.',
      wrongType: (expected, type) =>
        `This must be sent as ${expected}, but was sent ${type === null ? 'without a content type' : `as ${type}`}.`,
      compressed: (coding) =>
        `This must be sent uncompressed, but was sent with the content coding ${coding}.`,
      noJson: (max) =>
        `The body is not JSON in UTF-8, or has more than ${max} lists and objects within each other.`,
      wrongJson: (pointer) => `The JSON is not as this address expects it, at ${pointer}.`,
      idempotencyKeyUnusable:
        'The header Idempotency-Key must be 1 to 255 ASCII characters without spaces, with or without quotes, or be left out.',
      keyReused:
        'The same Idempotency-Key was sent before with another body. Send this one with a key of its own.',
      cutShort: 'The connection ended before the whole form had arrived.',
      tooMuchSent: 'Too much is being sent to this site right now.',
      tooManyRequests: 'Too many such requests are running right now.',
      tooManySent: 'Too many such requests were sent.',
      tryAgainIn: (duration) => `You can try again in ${duration}.`,
      databaseAway: 'We can’t reach the database right now.',
      databaseLost: 'We lost the connection to the database while saving.',
      diskFull: 'We could not save this: the server’s disk is full.',
      diskBroken: 'We could not save this: the server’s disk does not work.',
      diskFailed: 'We could not save this for certain: the server’s disk has failed.',
      fileNotStored: 'The file cannot be stored right now.',
      fileNotRead: 'The file cannot be read right now.',
      fileExpired: (fileName) => `The file “${fileName}” has expired. Choose it again.`,
      tooSlow: 'The files arrive too slowly. Try again with a better connection.',

      accounts: null,

      passwords: {
        common:
          'Choose a password that is harder to guess: this one is on lists of common passwords',
        personal:
          'Choose a password that is harder to guess: this one is a name or an address that others know',
        breached:
          'Choose another password: this one has been stolen from another site, and attackers try it',
        different: 'The two passwords are different. Type the same password twice',
        busy: 'Too many people are logging in right now.',
        tooMany: {
          'log-in': 'There were too many failed attempts to log in.',
          passkey: 'There were too many passkeys that were not accepted.',
          'second factor': 'There were too many wrong codes.',
          'recovery code': 'There were too many wrong recovery codes.',
          reset: 'Too many links for a new password were requested.',
          'mail link': 'Too many links for logging in were requested.',
          registration: 'Too many accounts were created from here.',
        },
      },

      audit: {
        field: 'Field',
        before: 'Before',
        after: 'After',
        nothing: 'Nothing was changed yet.',
        nobody: 'Without a name',
      },

      nextStep: 'Continue',
      stepBack: 'Back',
      change: 'Change',
      checkAnswers: 'Check your answers',
      stepNumber: (number, total) => `Step ${number}${total === null ? '' : ` of ${total}`}`,
      allSteps: 'All steps',
      stepStates: {
        done: 'Completed',
        missing: 'To do',
        waiting: 'Cannot start yet',
        notNeeded: 'Not needed',
      },
      notAnswered: 'Not answered',
      noRows: 'None',
      ticked: 'Yes',
      notTicked: 'No',
      answersChanged: 'Your answers have changed since this page was shown. Check them again',
      answersGone: 'These answers do not exist, or have expired. Start again.',
      answersElsewhere:
        'These answers can be opened only in the browser in which they were started. If it is this one, allow cookies, go back to the first page, and send it again.',
      answersSent: 'These answers were sent already, and cannot be changed any more.',
      answersOfOther: (name) =>
        `These answers belong to another account, and you are logged in as ${name} now. Nothing was saved. Log in with that account to continue, or start again.`,
      stepLeftOut: 'An earlier answer has changed, and this page is no longer asked.',
      passkey: {
        cancelled: 'The passkey was not used: this was cancelled, or took too long. Try again.',
        known: 'You already have a passkey on this device or in this password manager.',
        failed: 'The passkey did not work. Try again, or use another one.',
        unsupported: 'This browser has no passkeys. Use another browser or device.',
      },
    };
  },
});

/** Within a sentence. An abbreviation stays as it is. */
function lowerFirst(text: string): string {
  return /^\p{Lu}\p{Lu}/u.test(text) ? text : text.slice(0, 1).toLowerCase() + text.slice(1);
}
