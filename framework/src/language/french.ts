/** French, which says « vous » and has a no-break space before a colon and within quotation marks. */
import { accountsInFrench } from './accounts-in-french.ts';
import { createLanguage, type Language } from './language.ts';

/** For a table that was saved in another way. */
const HOW_TO_SAVE =
  'Enregistrez le tableau au format CSV : dans Excel, choisissez « Fichier », « Enregistrer sous » et « CSV UTF-8 » ; dans LibreOffice, « Fichier », « Enregistrer sous » et « Texte CSV » ; dans Numbers, « Fichier », « Exporter vers » et « CSV » ; dans Google Sheets, « Fichier », « Télécharger » et « Valeurs séparées par des virgules »';
const HOW_TO_CONVERT = `Ouvrez-le avec un tableur. ${HOW_TO_SAVE}`;

/** French, with the numbers and dates of France. */
export const french: Language = createLanguage({
  code: 'fr',
  writeWords: ({ formatNumber, formatSize, plural }) => {
    const characters = (count: number) =>
      `${formatNumber(count)} ${plural(count, { one: 'caractère', other: 'caractères' })}`;
    return {
      tooLong: (label, max) => `« ${label} » doit comporter ${characters(max)} au maximum`,
      tooShort: (label, min) => `« ${label} » doit comporter ${characters(min)} au minimum`,
      noWholeNumber: (label) => `« ${label} » doit être un nombre entier, par exemple 3`,
      outOfRange: (label, min, max) =>
        `« ${label} » doit être compris entre ${formatNumber(min)} et ${formatNumber(max)}`,
      tooManyEntries: (label, max) =>
        `« ${label} » doit comporter ${formatNumber(max)} ${plural(max, { one: 'élément', other: 'éléments' })} au maximum`,
      entryTooLong: (entry, text, max) =>
        `${entry} « ${text} » doit comporter ${characters(max)} au maximum`,
      noChoice: (label) =>
        `Choisissez de nouveau pour « ${label} » : ce choix n’est plus disponible`,
      noChoices: (label) =>
        `Choisissez de nouveau pour « ${label} » : un de vos choix n’est plus disponible`,
      tooFewChoices: (label, min) =>
        `Choisissez au moins ${formatNumber(min)} ${plural(min, { one: 'possibilité', other: 'possibilités' })} pour « ${label} »`,
      tooManyChoices: (label, max) =>
        `Choisissez au plus ${formatNumber(max)} ${plural(max, { one: 'possibilité', other: 'possibilités' })} pour « ${label} »`,
      noButton: 'Utilisez l’un des boutons',
      unusable: (label) =>
        `« ${label} » ne peut pas être utilisé ainsi ; saisissez une autre valeur`,
      unreadable: (label) =>
        `« ${label} » contient des caractères illisibles ; saisissez-le de nouveau`,
      hasNul: (label) => `« ${label} » ne doit pas contenir de caractère NUL`,
      sentTwice: (label) => `« ${label} » a été envoyé deux fois ; envoyez-le une seule fois`,
      fieldGone: (label, text) =>
        `« ${label} » ne fait plus partie de ce formulaire. Vous aviez saisi : ${text}`,
      fieldNew: (label) => `« ${label} » est nouveau dans ce formulaire`,
      fileTooLarge: (label, max) => `« ${label} » doit faire ${formatSize(max)} au maximum`,
      filesTooLarge: (label) => `« ${label} » est trop volumineux avec les autres fichiers`,
      tooManyInField: (label, max, names) =>
        `« ${label} » peut comporter ${formatNumber(max)} ${plural(max, { one: 'fichier', other: 'fichiers' })} au maximum. Non retenus : ${names}`,
      fileEmpty: (label) => `« ${label} » est vide`,
      wrongFileType: (label, types) => `« ${label} » doit être au format ${types}`,
      noEmail: (label) =>
        `« ${label} » doit être une adresse électronique, par exemple name@example.com`,
      noUrl: (label) => `« ${label} » doit être une adresse web, par exemple https://example.com`,
      noTelephone: (label) =>
        `« ${label} » doit être un numéro de téléphone, par exemple 01 99 00 12 34`,
      noColor: (label) => `« ${label} » doit être une couleur, par exemple #1d70b8`,
      noNumber: (label, example) => `« ${label} » doit être un nombre, par exemple ${example}`,
      notInSteps: (label, step, example) =>
        `« ${label} » n’est possible que par pas de ${step}, par exemple ${example}`,
      notBetween: (label, least, most) => `« ${label} » doit être entre ${least} et ${most}`,
      tooSmall: (label, least) => `« ${label} » doit être ${least} au minimum`,
      tooLarge: (label, most) => `« ${label} » doit être ${most} au maximum`,
      tooEarly: (label, earliest) => `« ${label} » ne doit pas être avant ${earliest}`,
      tooLate: (label, latest) => `« ${label} » ne doit pas être après ${latest}`,
      noMoney: (label, example) => `« ${label} » doit être un montant, par exemple ${example}`,
      noDate: (label, example) => `« ${label} » doit être une date, par exemple ${example}`,
      noRealDate: (label) => `« ${label} » doit être une date qui existe`,
      datePartsMissing: (label, parts) => {
        const names = { day: 'le jour', month: 'le mois', year: 'l’année' };
        return `Indiquez aussi ${parts.map((part) => names[part]).join(' et ')} dans « ${label} »`;
      },
      noYear: (label) => `Indiquez l’année en 4 chiffres dans « ${label} », par exemple 2026`,
      noMonth: (label, example) => `« ${label} » doit être un mois, par exemple ${example}`,
      noTime: (label, example) => `« ${label} » doit être une heure, par exemple ${example}`,
      noDateTime: (label, example) =>
        `« ${label} » doit être une date avec une heure, par exemple ${example}`,
      noDuration: (label, example) =>
        `« ${label} » doit être en heures et minutes, par exemple ${example}`,
      inputs: {
        day: 'Jour',
        month: 'Mois',
        year: 'Année',
        hours: 'Heures',
        minutes: 'Minutes',
        amount: 'Montant',
        currency: 'Devise',
        dateTime: 'Date et heure',
        zone: 'Fuseau horaire',
      },

      tooFewRows: (label, min) =>
        `« ${label} » doit comporter ${formatNumber(min)} ${plural(min, { one: 'élément', other: 'éléments' })} au minimum`,
      formUnreadable: 'Ce formulaire n’a pas pu être lu. Envoyez-le de nouveau',
      formUnusable: 'Modifiez le formulaire et envoyez-le de nouveau',

      choiceGone: 'N’est plus disponible',
      tooLongToLeave:
        'Votre texte est trop long pour être conservé entre-temps : raccourcissez-le, ou envoyez d’abord ce formulaire',
      cannotLeave:
        'Votre texte ne peut pas être conservé entre-temps : réessayez plus tard, ou envoyez d’abord ce formulaire',
      noChoicesYet: 'Il n’y a rien à choisir',
      found: (count) => `Résultats : ${count}`,
      optional: '(facultatif)',
      problem: 'Il y a un problème',
      error: 'Erreur :',
      errorTitle: (title) => `Erreur : ${title}`,
      chooseAgain: (fileName) => `Choisissez de nouveau le fichier « ${fileName} »`,
      onlyFirst: (count) =>
        plural(count, {
          one: 'Seul le premier caractère est affiché ici',
          other: `Seuls les ${formatNumber(count)} premiers caractères sont affichés ici`,
        }),
      inRow: (row, message) => `${row} : ${message}`,
      addAnother: 'Ajouter',
      remove: 'Supprimer',
      moveUp: 'Monter',
      ofRow: (name) => ` (${name})`,
      ofFile: (fileName) => ` (${fileName})`,
      rowsKept: (label, count, lost) =>
        `${formatNumber(count)} autres lignes de « ${label} » ne tiennent pas sur cette page. ${lost === 0 ? 'Elles sont conservées et envoyées avec le formulaire.' : `${formatNumber(lost)} d’entre elles sont laissées de côté.`}`,
      moreAnswers: (count) =>
        `${formatNumber(count)} autres réponses ne figurent pas ici. Elles sont envoyées aussi.`,
      answersTooLong:
        'Ces réponses sont trop longues pour être conservées. Raccourcissez-les, puis envoyez-les de nouveau.',
      rowsFull: (label, max) =>
        `« ${label} » peut comporter ${formatNumber(max)} ${plural(max, { one: 'élément', other: 'éléments' })} au maximum.`,
      send: 'Envoyer',
      uploading: 'Envoi en cours',
      cancelUpload: 'Annuler l’envoi',
      saveForLater: 'Enregistrer pour plus tard',
      saved: 'Enregistré',
      savedOpened: (when) => `Voici ce que vous avez saisi plus tôt, enregistré ${when}.`,
      startAnew: 'Recommencer',
      savedInstead: (when) =>
        `Cela remplace ce qu’un autre onglet ou un autre appareil avait enregistré ${when}.`,
      tooLongToSave: 'Ce formulaire est trop long pour être enregistré. Envoyez-le plutôt.',
      filesNotSaved: 'Les fichiers ne sont pas enregistrés : choisissez-les au moment de l’envoi.',
      tables: {
        isWorkbook: `Le fichier est un classeur. ${HOW_TO_SAVE}`,
        isOther: {
          html: `C’est une page web (HTML), et non un tableau. ${HOW_TO_CONVERT}`,
          mhtml: `C’est une page web (MHTML), et non un tableau. ${HOW_TO_CONVERT}`,
          xml: `C’est du XML, et non un tableau. ${HOW_TO_CONVERT}`,
          json: `C’est du JSON, et non un tableau. ${HOW_TO_CONVERT}`,
          rtf: `C’est un document texte (RTF), et non un tableau. ${HOW_TO_CONVERT}`,
          pdf: `C’est un PDF, et non un tableau. ${HOW_TO_CONVERT}`,
        },
        isEmpty: 'Le tableau est vide. Sa première ligne nomme les colonnes',
        notText: `Le fichier n’est pas du texte. ${HOW_TO_SAVE}`,
        notTable: `Ce n’est pas un tableau. ${HOW_TO_SAVE}`,
        brokenUtf16: 'Le fichier est endommagé : ce n’est pas du texte en UTF-16',
        brokenUtf8:
          'Le fichier est endommagé : il est en grande partie en UTF-8, mais pas entièrement. Enregistrez-le de nouveau au format « CSV UTF-8 »',
        tooManyColumns: (count, max) =>
          `Le tableau a ${formatNumber(count)} colonnes, et ${formatNumber(max)} au maximum peuvent être lues. Supprimez-en`,
        tooManyRows: (max) => `Le tableau a plus de ${formatNumber(max)} lignes. Divisez-le`,
        longHeading: (beginning, max) =>
          `L’en-tête « ${beginning}… » dépasse ${characters(max)}. La première ligne doit nommer les colonnes`,
        longRow: (line, max) => `La ligne ${line} dépasse ${characters(max)}`,
        wrongQuotes: (max, line) =>
          `Les guillemets sont faux sur plus de ${formatNumber(max)} lignes, dont la première est la ligne ${line}. Une cellule entre guillemets doit commencer et finir par un guillemet, et ceux qu’elle contient sont doublés`,
        headingsBelow: (line, above) =>
          `Les en-têtes sont à la ligne ${line}. Ce qui se trouve au-dessus a été laissé de côté : ${above.map((text) => `« ${text} »`).join(', ')}`,
        notUtf8: (encoding, words) =>
          `Le fichier n’est pas en UTF-8. Il a été lu comme ${encoding} : ${words.map((word) => `« ${word} »`).join(', ')}`,
        quotesAsText: (rows, more) =>
          `Des guillemets sont faux et ont été lus comme du texte : ${rows.map(({ line, text }) => `ligne ${line} (${text})`).join(', ')}${more === 0 ? '' : ` et ${formatNumber(more)} de plus`}`,
        column: (number) => `Colonne ${formatNumber(number)}`,
        paste: 'Remplir à partir d’un tableur',
        cells: 'Coller des cellules d’un tableur',
        cellsHint: (columns) =>
          `Copiez les cellules avec leurs en-têtes, par exemple ${columns.join(', ')}. Sans en-têtes, les colonnes doivent être dans cet ordre.`,
        fill: 'Remplir les lignes',
        nothingToFill: 'Collez d’abord des cellules',
        notFilled: 'Choisissez « Remplir les lignes », ou videz ce champ',
        noYesOrNo: (label, text) => `« ${label} » doit être oui ou non, et non « ${text} »`,
        noSuchChoice: (label, text) => `« ${text} » n’est pas un choix de « ${label} »`,
        rowsAdded: (count) =>
          `${formatNumber(count)} ${plural(count, { one: 'ligne a été ajoutée', other: 'lignes ont été ajoutées' })}`,
        cellsToCheck: (count) =>
          `${formatNumber(count)} ${plural(count, { one: 'cellule est', other: 'cellules sont' })} à vérifier`,
        rowsLeft: (count) =>
          `Il n’y a pas de place pour ${formatNumber(count)} ${plural(count, { one: 'ligne', other: 'lignes' })} de plus. Videz « Coller des cellules d’un tableur » pour laisser de côté ce qui s’y trouve`,
        rowsOfFileLeft: (count) =>
          `Il n’y a pas de place pour ${formatNumber(count)} ${plural(count, { one: 'ligne de plus du fichier, laissée', other: 'lignes de plus du fichier, laissées' })} de côté`,
        noHeadings: (columns) =>
          `Aucun en-tête n’a été trouvé. Les colonnes ont été lues dans cet ordre : ${columns.join(', ')}`,
        unknownColumns: (columns) =>
          `Aucun champ ne porte le nom de ces colonnes, laissées de côté : ${columns.map((one) => `« ${one} »`).join(', ')}`,
      },

      pages: 'Pagination',
      firstPage: 'Première',
      previousPage: 'Précédente',
      nextPage: 'Suivante',
      lastPage: 'Dernière',
      pageOf: (page, pageCount) =>
        `Page ${formatNumber(page)}${pageCount === null ? '' : ` sur ${formatNumber(pageCount)}`}`,

      filters: 'Filtres',
      applyFilters: 'Appliquer',
      removeFilters: 'Retirer tous les filtres',
      entryCount: (count) =>
        `${formatNumber(count)} ${plural(count, { one: 'élément', other: 'éléments' })}`,
      listEmpty: 'Il n’y a encore rien ici.',
      noEntries: 'Aucun résultat.',
      sortedBy: (label, direction) =>
        `Trié par « ${label} », ordre ${direction === 'asc' ? 'croissant' : 'décroissant'}`,
      downloadCsv: 'Télécharger en CSV',
      ticks: 'Coché',
      tickAll: 'Tout cocher sur cette page',
      untickAll: 'Tout décocher',

      titles: {
        400: 'Nous n’avons pas pu lire cette requête',
        401: 'Connectez-vous pour continuer',
        403: 'Vous n’avez pas le droit de faire cela',
        404: 'Page introuvable',
        409: 'Ce n’est pas possible maintenant',
        413: 'C’est trop volumineux',
        415: 'Ce n’est pas un formulaire',
        421: 'Ce n’est pas l’adresse de ce site',
        422: 'Nous ne pouvons pas accepter cela',
        429: 'Trop de tentatives',
        503: 'Ce n’est pas possible pour le moment',
        other: 'Une erreur s’est produite de notre côté',
      },
      advice: {
        400: 'Revenez en arrière, rechargez la page et envoyez de nouveau le formulaire.',
        401: 'Connectez-vous, puis envoyez de nouveau le formulaire.',
        403: 'Si vous en avez besoin, adressez-vous aux responsables de ce site.',
        404: 'Vérifiez l’adresse.',
        409: 'Vérifiez ce que la page affiche maintenant, puis renvoyez le formulaire.',
        413: 'Raccourcissez votre saisie.',
        415: 'Utilisez le formulaire de la page.',
        421: 'Vérifiez l’adresse.',
        429: 'Attendez un peu, puis réessayez.',
        other: 'Réessayez dans une minute.',
      },
      crossOriginTitle: 'Cette action n’est pas possible depuis cette page',
      crossOriginAdvice: 'Ouvrez le formulaire sur ce site et envoyez-le depuis cette page.',
      pageFailed: 'Nous n’avons pas pu charger cette page. Vous n’y êtes pour rien.',
      nothingSaved: 'Rien n’a été enregistré ni modifié.',
      unknownIfSaved:
        'Nous ne savons pas si l’enregistrement a eu lieu. Vous pouvez envoyer de nouveau le même formulaire : il ne sera enregistré qu’une fois.',
      checkIfSaved:
        'Votre envoi n’a peut-être pas été enregistré. Vérifiez avant de l’envoyer de nouveau.',
      whatYouTyped: 'Votre saisie',
      logIn: 'Se connecter',
      filledAfterLogIn:
        'Le formulaire sera ensuite rempli comme vous l’avez envoyé, et vous pourrez l’envoyer.',
      tryAgain: 'Réessayer',
      beginningOf: (label) => `${label} (le début)`,
      reference: 'Référence :',

      nothingHere: 'Introuvable : il n’y a rien à cette adresse.',
      addressFlaws: {
        unescaped: 'L’adresse contient un caractère qui doit être encodé.',
        notUtf8: 'L’adresse contient un encodage-pourcent qui n’est pas de l’UTF-8.',
        control: 'L’adresse contient un caractère de contrôle.',
        noSlash: 'L’adresse ne commence pas par une barre oblique.',
        otherHost: 'L’adresse et l’en-tête Host désignent des hôtes différents.',
        onlyForOptions: 'L’adresse * n’est valable que pour OPTIONS.',
      },
      wrongAddress: 'Ce site ne peut pas être ouvert à cette adresse.',
      rightAddress: (origin) => `Son adresse est ${origin}.`,
      notFromThisSite: 'Le formulaire n’a pas été envoyé depuis ce site.',
      notProven: 'L’expéditeur de ce message n’a pas pu être vérifié.',
      dataUnusable: 'Les données de ce message n’ont pas pu être utilisées.',
      notLoggedIn: 'Vous n’êtes pas connecté, ou votre session a expiré.',
      cookieNotKept:
        'Vous n’êtes pas connecté : votre navigateur ne garde pas les cookies de ce site. Autorisez-les, puis connectez-vous à nouveau.',
      cookieTwice: (name) =>
        `Vous n’êtes pas connecté : votre navigateur envoie deux cookies nommés ${name}, dont un d’un autre site. Supprimez les cookies de ce site et de son domaine, puis connectez-vous à nouveau.`,
      accountChanged:
        'Votre mot de passe a été modifié, ou votre compte a été désactivé, pendant votre connexion.',
      bodyTooLarge: (max) =>
        `Votre envoi dépasse les ${formatNumber(max)} octets que ce site accepte.`,
      textTooLarge: (max) =>
        `Votre texte dépasse les ${formatNumber(max)} octets que ce site accepte.`,
      tooManyFiles: (max) => `Le formulaire comporte plus de ${formatNumber(max)} fichiers.`,
      formFlaws: {
        noBoundary:
          'Le formulaire ne peut pas être lu : son en-tête n’indique aucune limite (boundary).',
        endsEarly: 'Le formulaire ne peut pas être lu : il s’arrête au milieu.',
        longName:
          'Le formulaire ne peut pas être lu : le nom d’un champ dépasse 1\u202f000 caractères.',
        wrongRow: 'Le formulaire ne peut pas être lu : une ligne a un numéro incorrect.',
      },
      tooManyFields: (max) => `Le formulaire comporte plus de ${formatNumber(max)} champs.`,
      otherAccount: (name) =>
        name === null
          ? 'Vous étiez connecté quand vous avez ouvert ce formulaire, et vous ne l’êtes plus. Rien n’a été enregistré. Connectez-vous, ou renvoyez-le sans compte'
          : `Ce formulaire a été ouvert depuis un autre compte, et vous êtes maintenant connecté en tant que ${name}. Rien n’a été enregistré. Vérifiez-le, puis renvoyez-le pour l’exécuter en tant que ${name}`,
      typedEarlier:
        'Votre navigateur a rechargé cette page en gardant votre saisie, et ce que la page affiche a changé depuis. Rien n’a été enregistré. Vérifiez le formulaire, puis renvoyez-le',
      keyUnusable:
        'Le champ _once doit comporter de 1 à 255 caractères ASCII sans espace, ou être absent.',
      wrongType: (expected, type) =>
        `Ceci doit être envoyé au format ${expected}, mais a été envoyé ${type === null ? 'sans type de contenu' : `au format ${type}`}.`,
      compressed: (coding) =>
        `Ceci doit être envoyé sans compression, mais a été envoyé avec le codage de contenu ${coding}.`,
      noJson: (max) =>
        `Le contenu n’est pas du JSON en UTF-8, ou contient plus de ${max} listes et objets imbriqués.`,
      wrongJson: (pointer) => `Le JSON n’est pas tel que cette adresse l’attend, à ${pointer}.`,
      idempotencyKeyUnusable:
        'L’en-tête Idempotency-Key doit comporter de 1 à 255 caractères ASCII sans espace, avec ou sans guillemets, ou être absent.',
      keyReused:
        'La même Idempotency-Key a déjà été envoyée avec un autre contenu. Envoyez celui-ci avec une clé qui lui est propre.',
      cutShort: 'La connexion a pris fin avant l’arrivée du formulaire entier.',
      tooMuchSent: 'Trop de données sont envoyées à ce site en ce moment.',
      tooManyRequests: 'Trop de requêtes de ce type sont en cours en ce moment.',
      tooManySent: 'Trop de requêtes de ce type ont été envoyées.',
      tryAgainIn: (duration) => `Vous pourrez réessayer dans ${duration}.`,
      databaseAway: 'Nous ne pouvons pas joindre la base de données pour le moment.',
      databaseLost: 'La connexion à la base de données a été perdue pendant l’enregistrement.',
      diskFull: 'L’enregistrement a échoué : le disque du serveur est plein.',
      diskBroken: 'L’enregistrement a échoué : le disque du serveur ne fonctionne pas.',
      diskFailed: 'L’enregistrement n’est pas certain : le disque du serveur est en panne.',
      fileNotStored: 'Le fichier ne peut pas être enregistré pour le moment.',
      fileNotRead: 'Le fichier ne peut pas être lu pour le moment.',
      fileExpired: (fileName) => `Le fichier « ${fileName} » a expiré. Choisissez-le de nouveau.`,
      tooSlow: 'Les fichiers arrivent trop lentement. Réessayez avec une meilleure connexion.',

      accounts: accountsInFrench,

      passwords: {
        common:
          'Choisissez un mot de passe plus difficile à deviner : celui-ci figure dans les listes de mots de passe courants',
        personal:
          'Choisissez un mot de passe plus difficile à deviner : celui-ci est un nom ou une adresse que d’autres connaissent',
        breached:
          'Choisissez un autre mot de passe : celui-ci a été volé sur un autre site, et les attaquants l’essaient',
        different:
          'Les deux mots de passe sont différents. Saisissez deux fois le même mot de passe',
        busy: 'Trop de personnes se connectent en ce moment.',
        tooMany: {
          'log-in': 'Il y a eu trop de tentatives de connexion infructueuses.',
          passkey: 'Trop de clés d’accès n’ont pas été acceptées.',
          'second factor': 'Trop de codes erronés ont été saisis.',
          'recovery code': 'Trop de codes de secours erronés ont été saisis.',
          reset: 'Trop de liens pour un nouveau mot de passe ont été demandés.',
          'mail link': 'Trop de liens de connexion ont été demandés.',
          registration: 'Trop de comptes ont été créés depuis cet endroit.',
        },
      },

      audit: {
        field: 'Champ',
        before: 'Avant',
        after: 'Après',
        nothing: 'Rien n’a encore été modifié.',
        nobody: 'Sans nom',
      },

      nextStep: 'Continuer',
      stepBack: 'Retour',
      change: 'Modifier',
      checkAnswers: 'Vérifiez vos réponses',
      stepNumber: (number, total) => `Étape ${number}${total === null ? '' : ` sur ${total}`}`,
      allSteps: 'Toutes les étapes',
      stepStates: {
        done: 'Terminé',
        missing: 'À faire',
        waiting: 'Pas encore disponible',
        notNeeded: 'Pas nécessaire',
      },
      notAnswered: 'Sans réponse',
      noRows: 'Aucun élément',
      ticked: 'Oui',
      notTicked: 'Non',
      answersChanged:
        'Vos réponses ont changé depuis l’affichage de cette page. Vérifiez-les à nouveau',
      answersGone: 'Ces réponses n’existent pas ou ont expiré. Recommencez depuis le début.',
      answersElsewhere:
        'Ces réponses ne s’ouvrent que dans le navigateur où elles ont été commencées. Si c’est celui-ci, autorisez les cookies, revenez à la première page et envoyez-la de nouveau.',
      answersSent: 'Ces réponses ont déjà été envoyées et ne peuvent plus être modifiées.',
      answersOfOther: (name) =>
        `Ces réponses appartiennent à un autre compte, et vous êtes maintenant connecté en tant que ${name}. Rien n’a été enregistré. Connectez-vous avec ce compte pour continuer, ou recommencez depuis le début.`,
      stepLeftOut: 'Une réponse précédente a changé, et cette page n’est plus demandée.',
      passkey: {
        cancelled:
          'La clé d’accès n’a pas été utilisée : l’opération a été annulée ou a pris trop de temps. Réessayez.',
        known:
          'Vous avez déjà une clé d’accès sur cet appareil ou dans ce gestionnaire de mots de passe.',
        failed: 'La clé d’accès n’a pas fonctionné. Réessayez, ou utilisez-en une autre.',
        unsupported:
          'Ce navigateur ne prend pas en charge les clés d’accès. Utilisez un autre navigateur ou un autre appareil.',
      },
    };
  },
});
