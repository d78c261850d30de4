/** German, which says „Sie“. Labels stand in quotation marks: their gender is not known. */
import { accountsInGerman } from './accounts-in-german.ts';
import { createLanguage, type Language } from './language.ts';

/** For a table that was saved in another way. */
const HOW_TO_SAVE =
  'Speichern Sie die Tabelle als CSV: in Excel mit „Datei“, „Speichern unter“ und „CSV UTF-8“; in LibreOffice mit „Datei“, „Speichern unter“ und „Text CSV“; in Numbers mit „Ablage“, „Exportieren“ und „CSV“; in Google Tabellen mit „Datei“, „Herunterladen“ und „Kommagetrennte Werte“';
const HOW_TO_CONVERT = `Öffnen Sie es mit einer Tabellenkalkulation. ${HOW_TO_SAVE}`;

/** German, with the numbers and dates of Germany. */
export const german: Language = createLanguage({
  code: 'de',
  writeWords: ({ formatNumber, formatSize, plural }) => ({
    tooLong: (label, max) => `„${label}“ darf höchstens ${formatNumber(max)} Zeichen lang sein`,
    tooShort: (label, min) => `„${label}“ muss mindestens ${formatNumber(min)} Zeichen lang sein`,
    noWholeNumber: (label) => `„${label}“ muss eine ganze Zahl sein, zum Beispiel 3`,
    outOfRange: (label, min, max) =>
      `„${label}“ muss zwischen ${formatNumber(min)} und ${formatNumber(max)} liegen`,
    tooManyEntries: (label, max) =>
      `„${label}“ darf höchstens ${formatNumber(max)} ${plural(max, { one: 'Eintrag', other: 'Einträge' })} haben`,
    entryTooLong: (entry, text, max) =>
      `${entry} „${text}“ darf höchstens ${formatNumber(max)} Zeichen lang sein`,
    noChoice: (label) => `Wählen Sie bei „${label}“ neu: Ihre Auswahl ist nicht mehr verfügbar`,
    noChoices: (label) =>
      `Wählen Sie bei „${label}“ neu: Ein Teil Ihrer Auswahl ist nicht mehr verfügbar`,
    tooFewChoices: (label, min) => `Wählen Sie bei „${label}“ mindestens ${formatNumber(min)} aus`,
    tooManyChoices: (label, max) => `Wählen Sie bei „${label}“ höchstens ${formatNumber(max)} aus`,
    noButton: 'Verwenden Sie eine der Schaltflächen',
    unusable: (label) => `„${label}“ kann so nicht verwendet werden; geben Sie etwas anderes ein`,
    unreadable: (label) =>
      `„${label}“ enthält Zeichen, die nicht gelesen werden konnten; geben Sie es noch einmal ein`,
    hasNul: (label) => `„${label}“ darf kein NUL-Zeichen enthalten`,
    sentTwice: (label) => `„${label}“ wurde zweimal gesendet; senden Sie es nur einmal`,
    fieldGone: (label, text) =>
      `„${label}“ gehört nicht mehr zu diesem Formular. Sie hatten eingegeben: ${text}`,
    fieldNew: (label) => `„${label}“ ist neu in diesem Formular`,
    fileTooLarge: (label, max) => `„${label}“ darf höchstens ${formatSize(max)} groß sein`,
    filesTooLarge: (label) => `„${label}“ ist zusammen mit den anderen Dateien zu groß`,
    tooManyInField: (label, max, names) =>
      `„${label}“ kann höchstens ${formatNumber(max)} ${plural(max, { one: 'Datei', other: 'Dateien' })} haben. Nicht übernommen: ${names}`,
    fileEmpty: (label) => `„${label}“ ist leer`,
    wrongFileType: (label, types) => `„${label}“ muss ${types} sein`,
    noEmail: (label) => `„${label}“ muss eine E-Mail-Adresse sein, zum Beispiel name@example.com`,
    noUrl: (label) => `„${label}“ muss eine Webadresse sein, zum Beispiel https://example.com`,
    noTelephone: (label) => `„${label}“ muss eine Telefonnummer sein, zum Beispiel 030 23125 001`,
    noColor: (label) => `„${label}“ muss eine Farbe sein, zum Beispiel #1d70b8`,
    noNumber: (label, example) => `„${label}“ muss eine Zahl sein, zum Beispiel ${example}`,
    notInSteps: (label, step, example) =>
      `„${label}“ ist nur in Schritten von ${step} möglich, zum Beispiel ${example}`,
    notBetween: (label, least, most) => `„${label}“ muss zwischen ${least} und ${most} liegen`,
    tooSmall: (label, least) => `„${label}“ muss mindestens ${least} sein`,
    tooLarge: (label, most) => `„${label}“ darf höchstens ${most} sein`,
    tooEarly: (label, earliest) => `„${label}“ darf nicht vor ${earliest} liegen`,
    tooLate: (label, latest) => `„${label}“ darf nicht nach ${latest} liegen`,
    noMoney: (label, example) => `„${label}“ muss ein Betrag sein, zum Beispiel ${example}`,
    noDate: (label, example) => `„${label}“ muss ein Datum sein, zum Beispiel ${example}`,
    noRealDate: (label) => `„${label}“ muss ein Datum sein, das es gibt`,
    datePartsMissing: (label, parts) => {
      const names = { day: 'den Tag', month: 'den Monat', year: 'das Jahr' };
      return `Geben Sie bei „${label}“ auch ${parts.map((part) => names[part]).join(' und ')} ein`;
    },
    noYear: (label) => `Geben Sie bei „${label}“ das Jahr mit 4 Ziffern ein, zum Beispiel 2026`,
    noMonth: (label, example) => `„${label}“ muss ein Monat sein, zum Beispiel ${example}`,
    noTime: (label, example) => `„${label}“ muss eine Uhrzeit sein, zum Beispiel ${example}`,
    noDateTime: (label, example) =>
      `„${label}“ muss ein Datum mit Uhrzeit sein, zum Beispiel ${example}`,
    noDuration: (label, example) =>
      `„${label}“ muss aus Stunden und Minuten bestehen, zum Beispiel ${example}`,
    inputs: {
      day: 'Tag',
      month: 'Monat',
      year: 'Jahr',
      hours: 'Stunden',
      minutes: 'Minuten',
      amount: 'Betrag',
      currency: 'Währung',
      dateTime: 'Datum und Uhrzeit',
      zone: 'Zeitzone',
    },

    tooFewRows: (label, min) =>
      `„${label}“ muss mindestens ${formatNumber(min)} ${plural(min, { one: 'Eintrag', other: 'Einträge' })} haben`,
    formUnreadable: 'Dieses Formular konnte nicht gelesen werden. Senden Sie es noch einmal',
    formUnusable: 'Ändern Sie etwas im Formular und senden Sie es noch einmal',

    choiceGone: 'Nicht mehr verfügbar',
    tooLongToLeave:
      'Ihr Text ist zu lang, um solange aufbewahrt zu werden: Kürzen Sie ihn, oder senden Sie zuerst dieses Formular',
    cannotLeave:
      'Ihr Text lässt sich gerade nicht aufbewahren: Versuchen Sie es später noch einmal, oder senden Sie zuerst dieses Formular',
    noChoicesYet: 'Es gibt nichts zur Auswahl',
    found: (count) => `${count} gefunden`,
    optional: '(optional)',
    problem: 'Es gibt ein Problem',
    error: 'Fehler:',
    errorTitle: (title) => `Fehler: ${title}`,
    chooseAgain: (fileName) => `Wählen Sie die Datei „${fileName}“ noch einmal aus`,
    onlyFirst: (count) =>
      plural(count, {
        one: `Hier wird nur das erste Zeichen angezeigt`,
        other: `Hier werden nur die ersten ${formatNumber(count)} Zeichen angezeigt`,
      }),
    inRow: (row, message) => `${row}: ${message}`,
    addAnother: 'Weitere hinzufügen',
    remove: 'Entfernen',
    moveUp: 'Nach oben',
    ofRow: (name) => ` (${name})`,
    ofFile: (fileName) => ` (${fileName})`,
    rowsKept: (label, count, lost) =>
      `${formatNumber(count)} weitere Zeilen von „${label}“ haben auf dieser Seite keinen Platz. ${lost === 0 ? 'Sie bleiben erhalten und werden mitgesendet.' : `${formatNumber(lost)} davon fallen weg.`}`,
    moreAnswers: (count) =>
      `${formatNumber(count)} weitere Antworten stehen nicht hier. Sie werden mitgesendet.`,
    answersTooLong:
      'Diese Antworten sind zu lang, um gespeichert zu werden. Kürzen Sie sie, und senden Sie sie noch einmal.',
    rowsFull: (label, max) =>
      `„${label}“ darf höchstens ${formatNumber(max)} ${plural(max, { one: 'Eintrag', other: 'Einträge' })} haben.`,
    send: 'Senden',
    uploading: 'Wird hochgeladen',
    cancelUpload: 'Hochladen abbrechen',
    saveForLater: 'Für später speichern',
    saved: 'Gespeichert',
    savedOpened: (when) => `Das haben Sie früher eingegeben. Es wurde ${when} gespeichert.`,
    startAnew: 'Neu beginnen',
    savedInstead: (when) =>
      `Das ersetzt, was ${when} in einem anderen Tab oder auf einem anderen Gerät gespeichert wurde.`,
    tooLongToSave: 'Dieses Formular ist zu lang, um gespeichert zu werden. Bitte senden Sie es ab.',
    filesNotSaved:
      'Dateien werden nicht gespeichert: Wählen Sie sie aus, wenn Sie das Formular absenden.',
    tables: {
      isWorkbook: `Die Datei ist eine Arbeitsmappe. ${HOW_TO_SAVE}`,
      isOther: {
        html: `Das ist eine Webseite (HTML) und keine Tabelle. ${HOW_TO_CONVERT}`,
        mhtml: `Das ist eine Webseite (MHTML) und keine Tabelle. ${HOW_TO_CONVERT}`,
        xml: `Das ist XML und keine Tabelle. ${HOW_TO_CONVERT}`,
        json: `Das ist JSON und keine Tabelle. ${HOW_TO_CONVERT}`,
        rtf: `Das ist ein Textdokument (RTF) und keine Tabelle. ${HOW_TO_CONVERT}`,
        pdf: `Das ist ein PDF und keine Tabelle. ${HOW_TO_CONVERT}`,
      },
      isEmpty: 'Die Tabelle ist leer. In ihrer ersten Zeile stehen die Namen der Spalten',
      notText: `Die Datei enthält keinen Text. ${HOW_TO_SAVE}`,
      notTable: `Das ist keine Tabelle. ${HOW_TO_SAVE}`,
      brokenUtf16: 'Die Datei ist beschädigt: Sie ist kein Text in UTF-16',
      brokenUtf8:
        'Die Datei ist beschädigt: Das meiste darin ist UTF-8, manches nicht. Speichern Sie sie noch einmal als „CSV UTF-8“',
      tooManyColumns: (count, max) =>
        `Die Tabelle hat ${formatNumber(count)} Spalten, und höchstens ${formatNumber(max)} können gelesen werden. Entfernen Sie einige`,
      tooManyRows: (max) =>
        `Die Tabelle hat mehr als ${formatNumber(max)} Zeilen. Teilen Sie sie auf`,
      longHeading: (beginning, max) =>
        `Die Überschrift „${beginning}…“ ist länger als ${formatNumber(max)} Zeichen. In der ersten Zeile müssen die Namen der Spalten stehen`,
      longRow: (line, max) => `Zeile ${line} ist länger als ${formatNumber(max)} Zeichen`,
      wrongQuotes: (max, line) =>
        `In mehr als ${formatNumber(max)} Zeilen sind die Anführungszeichen falsch, zuerst in Zeile ${line}. Eine Zelle in Anführungszeichen muss mit einem beginnen und enden, und in ihr wird jedes verdoppelt`,
      headingsBelow: (line, above) =>
        `Die Überschriften stehen in Zeile ${line}. Was darüber steht, wurde weggelassen: ${above.map((text) => `„${text}“`).join(', ')}`,
      notUtf8: (encoding, words) =>
        `Die Datei ist nicht in UTF-8. Sie wurde als ${encoding} gelesen: ${words.map((word) => `„${word}“`).join(', ')}`,
      quotesAsText: (rows, more) =>
        `Falsche Anführungszeichen wurden als Text gelesen, in ${rows.map(({ line, text }) => `Zeile ${line} (${text})`).join(', ')}${more === 0 ? '' : ` und ${formatNumber(more)} weiteren`}`,
      column: (number) => `Spalte ${formatNumber(number)}`,
      paste: 'Aus einer Tabelle ausfüllen',
      cells: 'Zellen einer Tabelle einfügen',
      cellsHint: (columns) =>
        `Kopieren Sie die Zellen mit ihren Überschriften, zum Beispiel ${columns.join(', ')}. Ohne Überschriften müssen die Spalten in dieser Reihenfolge stehen.`,
      fill: 'Zeilen ausfüllen',
      nothingToFill: 'Fügen Sie zuerst Zellen ein',
      notFilled: 'Wählen Sie „Zeilen ausfüllen“, oder leeren Sie dieses Feld',
      noYesOrNo: (label, text) => `„${label}“ muss ja oder nein sein, nicht „${text}“`,
      noSuchChoice: (label, text) => `„${text}“ gibt es bei „${label}“ nicht zur Auswahl`,
      rowsAdded: (count) =>
        plural(count, {
          one: '1 Zeile wurde hinzugefügt',
          other: `${formatNumber(count)} Zeilen wurden hinzugefügt`,
        }),
      cellsToCheck: (count) =>
        plural(count, {
          one: '1 Zelle ist zu prüfen',
          other: `${formatNumber(count)} Zellen sind zu prüfen`,
        }),
      rowsLeft: (count) =>
        `Für ${formatNumber(count)} weitere ${plural(count, { one: 'Zeile', other: 'Zeilen' })} ist kein Platz. Leeren Sie „Zellen einer Tabelle einfügen“, um wegzulassen, was noch darin steht`,
      rowsOfFileLeft: (count) =>
        plural(count, {
          one: 'Für 1 weitere Zeile der Datei ist kein Platz. Sie wurde weggelassen',
          other: `Für ${formatNumber(count)} weitere Zeilen der Datei ist kein Platz. Sie wurden weggelassen`,
        }),
      noHeadings: (columns) =>
        `Es wurden keine Überschriften gefunden. Die Spalten wurden in dieser Reihenfolge gelesen: ${columns.join(', ')}`,
      unknownColumns: (columns) =>
        `Kein Feld heißt wie diese Spalten. Sie wurden weggelassen: ${columns.map((one) => `„${one}“`).join(', ')}`,
    },

    pages: 'Seiten',
    firstPage: 'Erste',
    previousPage: 'Vorherige',
    nextPage: 'Nächste',
    lastPage: 'Letzte',
    pageOf: (page, pageCount) =>
      `Seite ${formatNumber(page)}${pageCount === null ? '' : ` von ${formatNumber(pageCount)}`}`,

    filters: 'Filter',
    applyFilters: 'Anwenden',
    removeFilters: 'Alle Filter entfernen',
    entryCount: (count) =>
      `${formatNumber(count)} ${plural(count, { one: 'Eintrag', other: 'Einträge' })}`,
    listEmpty: 'Hier ist noch nichts.',
    noEntries: 'Keine Treffer.',
    sortedBy: (label, direction) =>
      `Sortiert nach „${label}“, ${direction === 'asc' ? 'aufsteigend' : 'absteigend'}`,
    downloadCsv: 'Als CSV herunterladen',
    ticks: 'Angekreuzt',
    tickAll: 'Alle auf dieser Seite ankreuzen',
    untickAll: 'Keinen ankreuzen',

    titles: {
      400: 'Wir konnten diese Anfrage nicht lesen',
      401: 'Melden Sie sich an, um fortzufahren',
      403: 'Das dürfen Sie nicht',
      404: 'Seite nicht gefunden',
      409: 'Das ist jetzt nicht möglich',
      413: 'Das ist zu groß',
      415: 'Das ist kein Formular',
      421: 'Das ist nicht die Adresse dieser Website',
      422: 'Das können wir nicht annehmen',
      429: 'Zu viele Versuche',
      503: 'Das ist im Moment nicht möglich',
      other: 'Bei uns ist ein Fehler aufgetreten',
    },
    advice: {
      400: 'Gehen Sie zurück, laden Sie die Seite neu und senden Sie das Formular noch einmal.',
      401: 'Melden Sie sich an und senden Sie das Formular dann noch einmal.',
      403: 'Wenn Sie es tun müssen, wenden Sie sich an die Betreiber dieser Website.',
      404: 'Prüfen Sie die Adresse.',
      409: 'Prüfen Sie, was die Seite jetzt zeigt, und senden Sie das Formular dann noch einmal.',
      413: 'Kürzen Sie Ihre Eingaben.',
      415: 'Verwenden Sie das Formular auf der Seite.',
      421: 'Prüfen Sie die Adresse.',
      429: 'Warten Sie ein wenig und versuchen Sie es dann noch einmal.',
      other: 'Versuchen Sie es in einer Minute noch einmal.',
    },
    crossOriginTitle: 'Das ist von hier aus nicht möglich',
    crossOriginAdvice: 'Öffnen Sie das Formular auf dieser Website und senden Sie es von dort.',
    pageFailed: 'Wir konnten diese Seite nicht laden. Es liegt nicht an Ihnen.',
    nothingSaved: 'Es wurde nichts gespeichert oder geändert.',
    unknownIfSaved:
      'Wir wissen nicht, ob es gespeichert wurde. Sie können dasselbe Formular noch einmal senden: Es wird nur einmal gespeichert.',
    checkIfSaved:
      'Was Sie gesendet haben, wurde vielleicht nicht gespeichert. Prüfen Sie es, bevor Sie es noch einmal senden.',
    whatYouTyped: 'Ihre Eingaben',
    logIn: 'Anmelden',
    filledAfterLogIn:
      'Danach ist das Formular so ausgefüllt, wie Sie es gesendet haben, und Sie können es absenden.',
    tryAgain: 'Noch einmal senden',
    beginningOf: (label) => `${label} (der Anfang)`,
    reference: 'Fehlernummer:',

    nothingHere: 'Nicht gefunden: Unter dieser Adresse gibt es nichts.',
    addressFlaws: {
      unescaped: 'Die Adresse enthält ein Zeichen, das kodiert werden muss.',
      notUtf8: 'Die Adresse enthält eine Prozentkodierung, die kein UTF-8 ist.',
      control: 'Die Adresse enthält ein Steuerzeichen.',
      noSlash: 'Die Adresse beginnt nicht mit einem Schrägstrich.',
      otherHost: 'Die Adresse und der Host-Header nennen verschiedene Hosts.',
      onlyForOptions: 'Die Adresse * ist nur für OPTIONS gültig.',
    },
    wrongAddress: 'Diese Website kann nicht unter dieser Adresse geöffnet werden.',
    rightAddress: (origin) => `Ihre Adresse ist ${origin}.`,
    notFromThisSite: 'Das Formular wurde nicht von dieser Website gesendet.',
    notProven: 'Der Absender dieser Nachricht konnte nicht überprüft werden.',
    dataUnusable: 'Die Daten dieser Nachricht konnten nicht verwendet werden.',
    notLoggedIn: 'Sie sind nicht angemeldet, oder Ihre Sitzung ist abgelaufen.',
    cookieNotKept:
      'Sie sind nicht angemeldet: Ihr Browser behält keine Cookies dieser Website. Erlauben Sie sie, und melden Sie sich noch einmal an.',
    cookieTwice: (name) =>
      `Sie sind nicht angemeldet: Ihr Browser sendet zwei Cookies mit dem Namen ${name}, eines davon von einer anderen Website. Löschen Sie die Cookies dieser Website und ihrer Domain, und melden Sie sich noch einmal an.`,
    accountChanged:
      'Während Sie sich angemeldet haben, wurde Ihr Passwort geändert oder Ihr Konto gesperrt.',
    bodyTooLarge: (max) =>
      `Was Sie gesendet haben, ist größer als die ${formatNumber(max)} Bytes, die diese Website annimmt.`,
    textTooLarge: (max) =>
      `Ihr Text ist größer als die ${formatNumber(max)} Bytes, die diese Website annimmt.`,
    tooManyFiles: (max) => `Das Formular hat mehr als ${formatNumber(max)} Dateien.`,
    formFlaws: {
      noBoundary:
        'Das Formular kann nicht gelesen werden: Sein Header nennt keine Grenze (boundary).',
      endsEarly: 'Das Formular kann nicht gelesen werden: Es endet in der Mitte.',
      longName:
        'Das Formular kann nicht gelesen werden: Der Name eines Feldes hat mehr als 1.000 Zeichen.',
      wrongRow: 'Das Formular kann nicht gelesen werden: Eine Zeile hat eine falsche Nummer.',
    },
    tooManyFields: (max) => `Das Formular hat mehr als ${formatNumber(max)} Felder.`,
    otherAccount: (name) =>
      name === null
        ? 'Sie waren angemeldet, als Sie dieses Formular geöffnet haben, und sind jetzt abgemeldet. Es wurde nichts gespeichert. Melden Sie sich an, oder senden Sie es ohne Konto noch einmal'
        : `Dieses Formular wurde unter einem anderen Konto geöffnet; jetzt sind Sie als ${name} angemeldet. Es wurde nichts gespeichert. Prüfen Sie es, und senden Sie es noch einmal, um es als ${name} auszuführen`,
    typedEarlier:
      'Ihr Browser hat diese Seite neu geladen und Ihre Eingaben behalten, und was die Seite zeigt, hat sich seitdem geändert. Es wurde nichts gespeichert. Prüfen Sie das Formular, und senden Sie es noch einmal',
    keyUnusable:
      'Das Feld _once muss aus 1 bis 255 ASCII-Zeichen ohne Leerzeichen bestehen oder fehlen.',
    wrongType: (expected, type) =>
      `Dies muss als ${expected} gesendet werden, wurde aber ${type === null ? 'ohne Inhaltstyp' : `als ${type}`} gesendet.`,
    compressed: (coding) =>
      `Dies muss unkomprimiert gesendet werden, wurde aber mit der Inhaltskodierung ${coding} gesendet.`,
    noJson: (max) =>
      `Der Inhalt ist kein JSON in UTF-8 oder hat mehr als ${max} ineinander liegende Listen und Objekte.`,
    wrongJson: (pointer) => `Das JSON ist bei ${pointer} nicht so, wie diese Adresse es erwartet.`,
    idempotencyKeyUnusable:
      'Der Header Idempotency-Key muss aus 1 bis 255 ASCII-Zeichen ohne Leerzeichen bestehen, mit oder ohne Anführungszeichen, oder fehlen.',
    keyReused:
      'Derselbe Idempotency-Key wurde schon mit einem anderen Inhalt gesendet. Senden Sie diesen mit einem eigenen Schlüssel.',
    cutShort: 'Die Verbindung endete, bevor das ganze Formular angekommen war.',
    tooMuchSent: 'Im Moment wird zu viel an diese Website gesendet.',
    tooManyRequests: 'Im Moment laufen zu viele solcher Anfragen.',
    tooManySent: 'Es wurden zu viele solcher Anfragen gesendet.',
    tryAgainIn: (duration) => `Sie können es in ${duration} noch einmal versuchen.`,
    databaseAway: 'Wir können die Datenbank im Moment nicht erreichen.',
    databaseLost: 'Wir haben beim Speichern die Verbindung zur Datenbank verloren.',
    diskFull: 'Wir konnten das nicht speichern: Der Speicherplatz des Servers ist voll.',
    diskBroken: 'Wir konnten das nicht speichern: Der Datenträger des Servers funktioniert nicht.',
    diskFailed:
      'Wir konnten das nicht sicher speichern: Der Datenträger des Servers ist ausgefallen.',
    fileNotStored: 'Die Datei kann im Moment nicht gespeichert werden.',
    fileNotRead: 'Die Datei kann im Moment nicht gelesen werden.',
    fileExpired: (fileName) =>
      `Die Datei „${fileName}“ ist nicht mehr gespeichert. Wählen Sie sie noch einmal aus.`,
    tooSlow:
      'Die Dateien kommen zu langsam an. Versuchen Sie es mit einer besseren Verbindung noch einmal.',

    accounts: accountsInGerman,

    passwords: {
      common:
        'Wählen Sie ein Passwort, das schwerer zu erraten ist: Dieses steht auf Listen häufiger Passwörter',
      personal:
        'Wählen Sie ein Passwort, das schwerer zu erraten ist: Dieses ist ein Name oder eine Adresse, die andere kennen',
      breached:
        'Wählen Sie ein anderes Passwort: Dieses wurde bei einer anderen Website gestohlen, und Angreifer probieren es aus',
      different: 'Die beiden Passwörter sind verschieden. Geben Sie zweimal dasselbe Passwort ein',
      busy: 'Im Moment melden sich zu viele Personen an.',
      tooMany: {
        'log-in': 'Es gab zu viele fehlgeschlagene Anmeldeversuche.',
        passkey: 'Es gab zu viele Passkeys, die nicht angenommen wurden.',
        'second factor': 'Es wurden zu viele falsche Codes eingegeben.',
        'recovery code': 'Es wurden zu viele falsche Wiederherstellungscodes eingegeben.',
        reset: 'Es wurden zu viele Links für ein neues Passwort angefordert.',
        'mail link': 'Es wurden zu viele Links für die Anmeldung angefordert.',
        registration: 'Von hier aus wurden zu viele Konten angelegt.',
      },
    },

    audit: {
      field: 'Feld',
      before: 'Vorher',
      after: 'Nachher',
      nothing: 'Bisher wurde nichts geändert.',
      nobody: 'Ohne Namen',
    },

    nextStep: 'Weiter',
    stepBack: 'Zurück',
    change: 'Ändern',
    checkAnswers: 'Prüfen Sie Ihre Angaben',
    stepNumber: (number, total) => `Schritt ${number}${total === null ? '' : ` von ${total}`}`,
    allSteps: 'Alle Schritte',
    stepStates: {
      done: 'Erledigt',
      missing: 'Offen',
      waiting: 'Noch nicht möglich',
      notNeeded: 'Nicht nötig',
    },
    notAnswered: 'Keine Angabe',
    noRows: 'Keine',
    ticked: 'Ja',
    notTicked: 'Nein',
    answersChanged:
      'Ihre Angaben haben sich geändert, seit diese Seite angezeigt wurde. Prüfen Sie sie noch einmal',
    answersGone: 'Diese Angaben gibt es nicht, oder sie sind abgelaufen. Beginnen Sie von vorn.',
    answersElsewhere:
      'Diese Angaben lassen sich nur in dem Browser öffnen, in dem sie begonnen wurden. Ist es dieser, erlauben Sie Cookies, gehen Sie zur ersten Seite zurück und senden Sie sie noch einmal.',
    answersSent: 'Diese Angaben wurden schon gesendet und lassen sich nicht mehr ändern.',
    answersOfOther: (name) =>
      `Diese Angaben gehören zu einem anderen Konto; jetzt sind Sie als ${name} angemeldet. Es wurde nichts gespeichert. Melden Sie sich mit jenem Konto an, um fortzufahren, oder beginnen Sie von vorn.`,
    stepLeftOut: 'Eine frühere Angabe hat sich geändert, und diese Seite entfällt.',
    passkey: {
      cancelled:
        'Der Passkey wurde nicht verwendet: Der Vorgang wurde abgebrochen oder hat zu lange gedauert. Versuchen Sie es noch einmal.',
      known:
        'Sie haben auf diesem Gerät oder in diesem Passwortmanager schon einen Passkey für dieses Konto.',
      failed:
        'Der Passkey hat nicht funktioniert. Versuchen Sie es noch einmal, oder verwenden Sie einen anderen.',
      unsupported:
        'Dieser Browser kennt keine Passkeys. Verwenden Sie einen anderen Browser oder ein anderes Gerät.',
    },
  }),
});
