/** The texts of accounts in German. Whoever looks after a site is its „Administration“: the word has no gender. */
import type { AccountTexts } from './account-texts.ts';

export const accountsInGerman: AccountTexts = {
  '1. Scan the QR code': '1. QR-Code scannen',
  '2. Save the recovery codes': '2. Wiederherstellungscodes aufbewahren',
  '3. Enter a code': '3. Einen Code eingeben',
  'A browser': 'Ein Browser',
  'A company account was linked.': 'Ein Firmenkonto wurde verknüpft.',
  'A device was logged out.': 'Ein Gerät wurde abgemeldet.',
  'A linked company account was removed.': 'Ein verknüpftes Firmenkonto wurde entfernt.',
  'A log-in failed.': 'Eine Anmeldung ist fehlgeschlagen.',
  'A new password for {site}': 'Ein neues Passwort für {site}',
  'A passkey logs you in with a fingerprint, a face or a PIN, without a password.':
    'Mit einem Passkey melden Sie sich mit Fingerabdruck, Gesicht oder PIN an, ohne Passwort.',
  'A passkey was added.': 'Ein Passkey wurde hinzugefügt.',
  'A passkey was refused.': 'Ein Passkey wurde abgelehnt.',
  'A passkey was removed.': 'Ein Passkey wurde entfernt.',
  'A recovery code was used.': 'Ein Wiederherstellungscode wurde verwendet.',
  'A role of the company account was ignored.':
    'Eine Rolle des Firmenkontos wurde nicht übernommen.',
  'A second factor was switched on.': 'Ein zweiter Faktor wurde eingeschaltet.',
  'Add a passkey': 'Passkey hinzufügen',
  'Add a passkey first': 'Fügen Sie zuerst einen Passkey hinzu',
  'Add a second factor': 'Einen zweiten Faktor hinzufügen',
  Added: 'Hinzugefügt',
  'After that, you log in with a passkey in place of a code.':
    'Danach melden Sie sich statt mit einem Code mit einem Passkey an.',
  'After that, you need no second factor to log in.':
    'Danach brauchen Sie für die Anmeldung keinen zweiten Faktor.',
  'After that, your password alone no longer logs you in. A recovery code replaces the passkey once.':
    'Dann kann sich niemand mit Ihrem Passwort allein anmelden. Ein Wiederherstellungscode ersetzt den Passkey einmal.',
  'After that, {address} at {provider} logs you in to your account {name}.':
    'Ab dann meldet {address} ({provider}) Sie bei Ihrem Konto {name} an.',
  'After the password, you are also asked for a passkey.':
    'Nach dem Passwort wird auch ein Passkey verlangt.',
  'All other devices are now logged out.': 'Alle anderen Geräte sind jetzt abgemeldet.',
  'All other devices were logged out.': 'Alle anderen Geräte wurden abgemeldet.',
  'Also ask for a passkey after the password': 'Nach dem Passwort auch einen Passkey verlangen',
  'An account here already has your address. Log in to it once as usual; then you can link your company account.':
    'Hier gibt es ein Konto mit Ihrer Adresse. Melden Sie sich einmal wie gewohnt an; dann können Sie es verknüpfen.',
  'An administrator knows your password. Choose a new one first.':
    'Ein Administrator kennt Ihr Passwort. Wählen Sie zuerst ein neues.',
  'An administrator made a link for a new password.':
    'Die Administration hat einen Link für ein neues Passwort erstellt.',
  'An invitation to {site}': 'Eine Einladung zu {site}',
  'An invitation was made.': 'Eine Einladung wurde erstellt.',
  'An invitation was withdrawn.': 'Eine Einladung wurde zurückgezogen.',
  'At least 8 characters. A few words in a row are easy to remember and hard to guess.':
    'Mindestens 8 Zeichen. Einige Wörter hintereinander sind leicht zu merken und schwer zu erraten.',
  'Change your own password on the page of your account':
    'Ändern Sie Ihr eigenes Passwort auf der Seite Ihres Kontos',
  'Change your password': 'Passwort ändern',
  'Check your email': 'Sehen Sie in Ihren E-Mails nach',
  'Choose a new password': 'Neues Passwort wählen',
  'Choose a role': 'Wählen Sie eine Rolle',
  'Company account': 'Firmenkonto',
  'Company accounts': 'Firmenkonten',
  'Confirm that it is you': 'Bestätigen Sie, dass Sie es sind',
  'Confirm the address': 'Adresse bestätigen',
  'Confirm your address at {site}': 'Bestätigen Sie Ihre Adresse bei {site}',
  Continue: 'Weiter',
  'Continue to your company’s log-in': 'Weiter zur Anmeldung Ihrer Firma',
  'Create account': 'Konto erstellen',
  'Create an account': 'Konto erstellen',
  'Create the first account': 'Das erste Konto erstellen',
  'Current password': 'Jetziges Passwort',
  'Current password is incorrect': 'Das jetzige Passwort ist falsch',
  'Delete your account': 'Konto löschen',
  Device: 'Gerät',
  Devices: 'Geräte',
  'Disable the account': 'Konto sperren',
  Disabled: 'Gesperrt',
  'Do not ask again on this device for 30 days':
    'Auf diesem Gerät 30 Tage lang nicht mehr danach fragen',
  'Don’t tick this on a shared computer.':
    'Nicht ankreuzen, wenn auch andere diesen Computer benutzen.',
  'Download the codes': 'Codes herunterladen',
  'Each code works once, in place of the second factor.':
    'Jeder Code gilt einmal, an Stelle des zweiten Faktors.',
  'Email address': 'E-Mail-Adresse',
  'Email address or name': 'E-Mail-Adresse oder Name',
  'Email address or password is incorrect': 'E-Mail-Adresse oder Passwort ist falsch',
  'Enable the account': 'Konto freigeben',
  'Enter a name': 'Geben Sie einen Namen ein',
  'Enter a new password': 'Geben Sie ein neues Passwort ein',
  'Enter a password': 'Geben Sie ein Passwort ein',
  'Enter a recovery code': 'Geben Sie einen Wiederherstellungscode ein',
  'Enter a username': 'Geben Sie einen Benutzernamen ein',
  'Enter an email address': 'Geben Sie eine E-Mail-Adresse ein',
  'Enter an email address or a name': 'Geben Sie eine E-Mail-Adresse oder einen Namen ein',
  'Enter the code that the app shows now. From then on, you need one each time you log in.':
    'Geben Sie den Code ein, den die App jetzt anzeigt. Von da an brauchen Sie bei jeder Anmeldung einen.',
  'Enter the code that your app shows': 'Geben Sie den Code ein, den Ihre App anzeigt',
  'Enter the name of the person': 'Geben Sie den Namen der Person ein',
  'Enter your current password': 'Geben Sie Ihr jetziges Passwort ein',
  'Enter your email address': 'Geben Sie Ihre E-Mail-Adresse ein',
  'Enter your password': 'Geben Sie Ihr Passwort ein',
  'Enter your username': 'Geben Sie Ihren Benutzernamen ein',
  Expires: 'Läuft ab',
  'From 3 to 40 letters, digits, dots, hyphens or underscores.':
    '3 bis 40 Buchstaben, Ziffern, Punkte, Bindestriche oder Unterstriche.',
  'I already have an account': 'Ich habe schon ein Konto',
  'I forgot my password': 'Passwort vergessen',
  'I have saved these codes': 'Ich habe diese Codes aufbewahrt',
  'If this was not you, tell an administrator.':
    'Wenn Sie das nicht waren, wenden Sie sich an die Administration.',
  'If you did not ask for this, ignore this email.':
    'Wenn Sie das nicht angefordert haben, brauchen Sie nichts zu tun.',
  'If you forgot your password, an administrator can make a link for you to choose a new one.':
    'Wenn Sie Ihr Passwort vergessen haben, kann die Administration einen Link erstellen, mit dem Sie ein neues wählen.',
  'If you lose your phone, log in with one of these codes instead. Each works once. They are shown only now: print them, or save the file.':
    'Wenn Sie Ihr Telefon verlieren, melden Sie sich stattdessen mit einem dieser Codes an. Jeder gilt einmal. Sie werden nur jetzt angezeigt: Drucken Sie sie aus, oder speichern Sie die Datei.',
  'If {name} has lost the second factor, remove it. {name} is logged out, and will be told.':
    'Wenn {name} den zweiten Faktor verloren hat, entfernen Sie ihn. {name} wird abgemeldet und benachrichtigt.',
  Invite: 'Einladen',
  'Invite somebody': 'Jemanden einladen',
  'Invited by': 'Eingeladen von',
  Key: 'Schlüssel',
  'Last active': 'Zuletzt aktiv',
  'Last used': 'Zuletzt verwendet',
  'Leave it empty to use the name of the app or device that stores it.':
    'Lassen Sie das Feld leer, um ihn nach dem Programm oder Gerät zu benennen, das ihn speichert.',
  'Link a company account': 'Ein Firmenkonto verknüpfen',
  'Link by email': 'Link per E-Mail',
  'Link it': 'Verknüpfen',
  'Link your company account': 'Firmenkonto verknüpfen',
  'Log in': 'Anmelden',
  'Log in again': 'Noch einmal anmelden',
  'Log in to continue.': 'Melden Sie sich an, um fortzufahren.',
  'Log in to {site}': 'Anmeldung bei {site}',
  'Log in with a link by email': 'Mit einem Link per E-Mail anmelden',
  'Log in with a passkey': 'Mit einem Passkey anmelden',
  'Log in with {provider}': 'Mit {provider} anmelden',
  'Log out and continue': 'Abmelden und fortfahren',
  'Log out': 'Abmelden',
  'Log out on all other devices': 'Auf allen anderen Geräten abmelden',
  'Log out on all other devices?': 'Auf allen anderen Geräten abmelden?',
  'Log out on {device}?': 'Auf diesem Gerät abmelden: {device}?',
  'Log out there': 'Dort abmelden',
  'Logged in.': 'Angemeldet.',
  'Logged out.': 'Abgemeldet.',
  'Make a link for a new password': 'Link für ein neues Passwort erstellen',
  'Make a new link': 'Neuen Link erstellen',
  'Make new recovery codes': 'Neue Wiederherstellungscodes erstellen',
  'Make recovery codes first': 'Erstellen Sie zuerst Wiederherstellungscodes',
  Name: 'Benutzername',
  'Name of the new passkey': 'Name des neuen Passkeys',
  'Network address': 'Netzwerkadresse',
  'New password': 'Neues Passwort',
  'New password again': 'Neues Passwort noch einmal',
  'New password must be different from the current one':
    'Das neue Passwort muss ein anderes als das jetzige sein',
  'New recovery codes were made.': 'Neue Wiederherstellungscodes wurden erstellt.',
  'No company account is linked to your account.':
    'Mit Ihrem Konto ist kein Firmenkonto verknüpft.',
  'No email? Check your spam folder, and wait a few minutes.':
    'Keine E-Mail? Sehen Sie auch im Spam-Ordner nach, und warten Sie einige Minuten.',
  'No name': 'Ohne Namen',
  'Not used yet': 'Noch nicht verwendet',
  'Nothing was changed. The link was used already, has expired, was replaced by a newer one, or is incomplete.':
    'Es wurde nichts geändert. Der Link wurde schon verwendet, ist abgelaufen, wurde durch einen neueren ersetzt oder ist unvollständig.',
  'Once you use the button, these codes replace all earlier ones.':
    'Sobald Sie die Schaltfläche verwenden, ersetzen diese Codes alle früheren.',
  'One-time code': 'Einmalcode',
  'One-time codes are switched off.': 'Einmalcodes sind ausgeschaltet.',
  'One-time codes are switched on.': 'Einmalcodes sind eingeschaltet.',
  'Open invitations': 'Offene Einladungen',
  'Open this link in the browser in which you asked for it, or ask for a new one here.':
    'Öffnen Sie diesen Link in dem Browser, in dem Sie ihn angefordert haben, oder fordern Sie hier einen neuen an.',
  'Other ways to log in': 'Andere Wege, sich anzumelden',
  'Others see you as {name}.': 'Andere sehen Sie als {name}.',
  Passkey: 'Passkey',
  Password: 'Passwort',
  'Password again': 'Passwort noch einmal',
  People: 'Personen',
  'QR code for the app': 'QR-Code für die App',
  'Recent activity': 'Letzte Aktivitäten',
  'Recovery code': 'Wiederherstellungscode',
  'Recovery codes': 'Wiederherstellungscodes',
  'Recovery codes for {site}': 'Wiederherstellungscodes für {site}',
  Remove: 'Entfernen',
  'Remove a passkey first: you have 20': 'Entfernen Sie zuerst einen Passkey: Sie haben 20',
  'Remove the passkey': 'Passkey entfernen',
  'Remove the second factor': 'Zweiten Faktor entfernen',
  'Remove {provider}?': '{provider} entfernen?',
  'Removing it logs you out on all other devices.':
    'Wenn Sie ihn entfernen, werden Sie auf allen anderen Geräten abgemeldet.',
  Role: 'Rolle',
  Save: 'Speichern',
  'Save password': 'Passwort speichern',
  'Save the name': 'Namen speichern',
  'Save the role': 'Rolle speichern',
  'Scan this with an authenticator app, or enter the key in it.':
    'Scannen Sie dies mit einer Authentifizierungs-App, oder geben Sie den Schlüssel darin ein.',
  'Second factor': 'Zweiter Faktor',
  'Send a link': 'Link senden',
  'Send it again': 'Noch einmal senden',
  'Send this link to {name}. It is shown only now, works once, and expires in 24 hours: {link}':
    'Senden Sie diesen Link an {name}. Er wird nur jetzt angezeigt, gilt einmal und läuft in 24 Stunden ab: {link}',
  'Send this link to {name}. It is shown only now, works once, and expires in 7 days: {link}':
    'Senden Sie diesen Link an {name}. Er wird nur jetzt angezeigt, gilt einmal und läuft in 7 Tagen ab: {link}',
  'Somebody asked for a link to log in to {site} with this address, but no account has it. Perhaps you registered with another address.':
    'Jemand hat mit dieser Adresse einen Link zur Anmeldung bei {site} angefordert, aber kein Konto hat sie. Vielleicht haben Sie sich mit einer anderen Adresse registriert.',
  'Somebody asked for a new password for {site} with this address, but no account has it. Perhaps you registered with another address.':
    'Jemand hat mit dieser Adresse ein neues Passwort für {site} angefordert, aber kein Konto hat sie. Vielleicht haben Sie sich mit einer anderen Adresse registriert.',
  'Start again': 'Von vorn beginnen',
  'Stay logged in as {name}': 'Als {name} angemeldet bleiben',
  'Stay logged in on this device': 'Auf diesem Gerät angemeldet bleiben',
  'Switch off one-time codes': 'Einmalcodes ausschalten',
  'Switch on': 'Einschalten',
  'That device is now logged out.': 'Das Gerät ist jetzt abgemeldet.',
  'That invitation was used or withdrawn already, or has expired.':
    'Diese Einladung wurde schon verwendet oder zurückgezogen, oder sie ist abgelaufen.',
  'The account was created.': 'Das Konto wurde erstellt.',
  'The account was deleted.': 'Das Konto wurde gelöscht.',
  'The account was disabled.': 'Das Konto wurde gesperrt.',
  'The account was enabled.': 'Das Konto wurde freigegeben.',
  'The address is confirmed.': 'Die Adresse ist bestätigt.',
  'The answer of your company does not belong to this log-in. Start again.':
    'Die Antwort der Firma gehört nicht zu dieser Anmeldung. Beginnen Sie noch einmal.',
  'The company account was removed.': 'Das Firmenkonto ist entfernt.',
  'The earlier link no longer works.': 'Der frühere Link funktioniert nicht mehr.',
  'The email address was changed.': 'Die E-Mail-Adresse wurde geändert.',
  'The invitation was sent to {name}.': 'Die Einladung wurde an {name} gesendet.',
  'The invitation was withdrawn. Its link no longer works.':
    'Die Einladung wurde zurückgezogen. Ihr Link funktioniert nicht mehr.',
  'The link still works after that.': 'Der Link funktioniert danach noch.',
  'The link can be opened on this computer only, because its address is {host}: set PUBLIC_ORIGIN, or open this site at an address that others reach.':
    'Der Link lässt sich nur auf diesem Computer öffnen, denn seine Adresse ist {host}: Setzen Sie PUBLIC_ORIGIN, oder öffnen Sie diese Website unter einer Adresse, die andere erreichen.',
  'The log-in was cancelled, or your company refused it.':
    'Die Anmeldung wurde abgebrochen, oder die Firma hat sie abgelehnt.',
  'The name was saved.': 'Der Name wurde gespeichert.',
  'The new role is {role}.': 'Die neue Rolle ist {role}.',
  'The passkey was added.': 'Der Passkey wurde hinzugefügt.',
  'The passkey was not accepted': 'Der Passkey wurde nicht angenommen',
  'The passkey was removed.': 'Der Passkey wurde entfernt.',
  'The password was changed.': 'Das Passwort wurde geändert.',
  'The password was reset.': 'Das Passwort wurde zurückgesetzt.',
  'The role is now {role}.': 'Die Rolle ist jetzt {role}.',
  'The role was changed.': 'Die Rolle wurde geändert.',
  'The second factor was incorrect.': 'Der zweite Faktor war falsch.',
  'The second factor was removed. {name} will be told.':
    'Der zweite Faktor wurde entfernt. {name} wird benachrichtigt.',
  'The second factor was switched off.': 'Der zweite Faktor wurde ausgeschaltet.',
  'There are no accounts yet. The first one becomes the administrator of this site.':
    'Es gibt noch keine Konten. Das erste erhält die Administration dieser Website.',
  'There is no account here for your company account. Ask an administrator for an invitation. If you have an account, log in to it and link your company account there.':
    'Zu Ihrem Firmenkonto gibt es hier kein Konto. Bitten Sie die Administration um eine Einladung. Wenn Sie ein Konto haben, melden Sie sich an und verknüpfen Sie dort Ihr Firmenkonto.',
  'There is no such person.': 'Diese Person gibt es nicht.',
  'This code is incorrect, or was already used':
    'Dieser Code ist falsch oder wurde schon verwendet',
  'This code is incorrect. Look at the app again, and check that the clock of the phone is right':
    'Dieser Code ist falsch. Sehen Sie noch einmal in die App, und prüfen Sie die Uhr des Telefons',
  'This company account belongs to another account here.':
    'Dieses Firmenkonto gehört hier zu einem anderen Konto.',
  'This company account is linked to no account here now. Log in another way.':
    'Dieses Firmenkonto ist derzeit mit keinem Konto hier verknüpft. Melden Sie sich auf anderem Weg an.',
  'This deletes your account, and everything that you log in with. It cannot be undone.':
    'Damit wird Ihr Konto mit allem gelöscht, womit Sie sich anmelden. Das lässt sich nicht rückgängig machen.',
  'This device': 'Dieses Gerät',
  'This is not an email address': 'Das ist keine E-Mail-Adresse',
  'This is the only administrator. Make another person one first':
    'Nur diese Person hat die höchste Rolle. Geben Sie sie zuerst einer anderen',
  'This is your only way to log in. Add another one first':
    'Sonst können Sie sich mit nichts anmelden. Richten Sie zuerst einen anderen Weg ein',
  'This link does not work': 'Dieser Link funktioniert nicht',
  'This link is for another account: {name}. To use it, log out first.':
    'Dieser Link gilt für ein anderes Konto: {name}. Melden Sie sich zuerst ab, um ihn zu verwenden.',
  'This link was used already, has expired, or is incomplete. Ask for another one.':
    'Dieser Link wurde schon verwendet, ist abgelaufen oder unvollständig. Bitten Sie um einen neuen.',
  'This log-in has expired, was already used, or was started in another browser. Start again.':
    'Diese Anmeldung ist abgelaufen, wurde schon benutzt oder in einem anderen Browser begonnen. Beginnen Sie noch einmal.',
  'This logs you in as {name}, and out on all other devices.':
    'Damit melden Sie sich als {name} an, und auf allen anderen Geräten ab.',
  'This logs you in as {name}.': 'Damit melden Sie sich als {name} an.',
  'This logs you out on all other devices, and withdraws the open links that you made.':
    'Das meldet Sie auf allen anderen Geräten ab und macht die offenen Links ungültig, die Sie erstellt haben.',
  'This logs you out on all other devices.':
    'Damit werden Sie auf allen anderen Geräten abgemeldet.',
  'This page has expired. Open it again': 'Diese Seite ist abgelaufen. Öffnen Sie sie noch einmal',
  'This page was open for too long. Try again':
    'Diese Seite war zu lange geöffnet. Versuchen Sie es noch einmal',
  'This passkey is already in use': 'Dieser Passkey wird schon verwendet',
  'This passkey was already removed': 'Dieser Passkey wurde schon entfernt',
  'To add a passkey, switch on JavaScript.':
    'Um einen Passkey hinzuzufügen, schalten Sie JavaScript ein.',
  'To choose a new password for {site}, open this link within an hour:':
    'Öffnen Sie innerhalb einer Stunde diesen Link, um ein neues Passwort für {site} zu wählen:',
  'To confirm this address for your account at {site}, open this link within 24 hours:':
    'Öffnen Sie innerhalb von 24 Stunden diesen Link, um diese Adresse für Ihr Konto bei {site} zu bestätigen:',
  'To create another account, log out first.':
    'Um ein weiteres Konto anzulegen, melden Sie sich zuerst ab.',
  'To create your account at {site}, open this link within 24 hours:':
    'Öffnen Sie innerhalb von 24 Stunden diesen Link, um Ihr Konto bei {site} zu erstellen:',
  'To do this, you must have logged in within the last {minutes} minutes.':
    'Dafür müssen Sie sich in den letzten {minutes} Minuten angemeldet haben.',
  'To invite somebody, or to change a role, ask an administrator: {names}.':
    'Um jemanden einzuladen oder eine Rolle zu ändern, wenden Sie sich an {names}.',
  'To log in to {site}, open this link within 10 minutes, in the browser in which you asked for it:':
    'Öffnen Sie innerhalb von 10 Minuten diesen Link, um sich bei {site} anzumelden, und zwar in dem Browser, in dem Sie ihn angefordert haben:',
  'Too many invitations are open. Withdraw one first':
    'Zu viele Einladungen sind offen. Ziehen Sie zuerst eine zurück',
  'Type the password again': 'Geben Sie das Passwort noch einmal ein',
  'Use a one-time code': 'Einmalcode verwenden',
  'Use a passkey': 'Passkey verwenden',
  'Use a recovery code': 'Wiederherstellungscode verwenden',
  Username: 'Benutzername',
  'Username is taken; choose another one':
    'Dieser Benutzername ist vergeben; wählen Sie einen anderen',
  'Username must be made of letters a to z, digits, dots, hyphens and underscores':
    'Der Benutzername darf nur aus den Buchstaben a bis z, Ziffern, Punkten, Bindestrichen und Unterstrichen bestehen',
  'Username or password is incorrect': 'Benutzername oder Passwort ist falsch',
  'We can’t reach your company’s log-in right now. Try again in a few minutes, or log in another way.':
    'Die Anmeldung der Firma ist gerade nicht erreichbar. Versuchen Sie es in einigen Minuten noch einmal, oder melden Sie sich auf einem anderen Weg an.',
  'We have sent an email to the address that you entered. Open the link in it.':
    'Wir haben eine E-Mail an die angegebene Adresse gesendet. Öffnen Sie den Link darin.',
  'We will send a link to the new address. It becomes your address once you open the link.':
    'Wir senden einen Link an die neue Adresse. Sie gilt, sobald Sie ihn öffnen.',
  'We will send you a link that logs you in.': 'Wir senden Ihnen einen Link, der Sie anmeldet.',
  'We will send you a link to choose a new password.':
    'Wir senden Ihnen einen Link, mit dem Sie ein neues Passwort wählen.',
  What: 'Was',
  'What you typed is kept on this page. Log in, and the form comes back as you filled it in.':
    'Ihre Eingaben bleiben auf dieser Seite. Melden Sie sich an, dann ist das Formular wieder so ausgefüllt wie jetzt.',
  When: 'Wann',
  'Who the link is for.': 'Für wen der Link ist.',
  'With a link, {name} chooses a new password. It works once, within 24 hours, and logs {name} out on all devices.':
    'Mit einem Link wählt {name} ein neues Passwort. Er gilt einmal, innerhalb von 24 Stunden, und meldet {name} auf allen Geräten ab.',
  Withdraw: 'Zurückziehen',
  'You are already logged in': 'Sie sind bereits angemeldet',
  'Without an address, you get a link to hand over.':
    'Ohne Adresse bekommen Sie einen Link zum Weitergeben.',
  'You are invited to {site}. To create your account, open this link within 7 days:':
    'Sie sind zu {site} eingeladen. Öffnen Sie innerhalb von 7 Tagen diesen Link, um Ihr Konto zu erstellen:',
  'You are invited. Choose a username and a password of your own.':
    'Sie sind eingeladen. Wählen Sie einen Benutzernamen und ein Passwort.',
  'You are logged in as {name}.': 'Sie sind als {name} angemeldet.',
  'You are not logged in with your company account':
    'Sie sind nicht mit Ihrem Firmenkonto angemeldet',
  'You are the only administrator. Make another person one first':
    'Nur Sie haben die höchste Rolle. Geben Sie sie zuerst einer anderen Person',
  'You cannot register here': 'Hier können Sie kein Konto erstellen',
  'You have an account at {site} already. To log in, open this link:':
    'Sie haben schon ein Konto bei {site}. Öffnen Sie diesen Link, um sich anzumelden:',
  'You need an invitation to register here. Ask an administrator for one.':
    'Ein Konto gibt es hier nur mit einer Einladung. Bitten Sie die Administration um eine.',
  'Your account': 'Ihr Konto',
  'Your account at {site}': 'Ihr Konto bei {site}',
  'Your account at {site} has changed': 'Ihr Konto bei {site} wurde geändert',
  'Your account here is disabled. Ask an administrator.':
    'Ihr Konto hier ist gesperrt. Fragen Sie die Administration.',
  'Your account may no longer do this.': 'Ihr Konto darf das nicht mehr.',
  'Your account may not do this.': 'Ihr Konto darf das nicht.',
  'Your account was deleted.': 'Ihr Konto wurde gelöscht.',
  'Your choice was saved.': 'Ihre Auswahl wurde gespeichert.',
  'Your company account has no confirmed address, so no account was created here. Ask an administrator.':
    'Ihr Firmenkonto hat keine bestätigte Adresse, mit der hier ein Konto angelegt werden könnte. Fragen Sie die Administration.',
  'Your company account is linked.': 'Ihr Firmenkonto ist verknüpft.',
  'Your company account may not log in here. Ask an administrator.':
    'Ihr Firmenkonto darf sich hier nicht anmelden. Fragen Sie die Administration.',
  'Your company did not ask you to log in again. Log in another way.':
    'Die Firma hat Sie nicht noch einmal nach der Anmeldung gefragt. Melden Sie sich auf einem anderen Weg an.',
  'Your company does not say when you logged in there. Log in another way.':
    'Die Firma sagt nicht, wann Sie sich dort angemeldet haben. Melden Sie sich auf einem anderen Weg an.',
  'Your details': 'Ihre Angaben',
  'Your details were saved.': 'Ihre Angaben wurden gespeichert.',
  'Your email address is {email}.': 'Ihre E-Mail-Adresse ist {email}.',
  'Your new recovery codes are now valid. The earlier ones no longer work.':
    'Ihre neuen Wiederherstellungscodes gelten jetzt. Die früheren funktionieren nicht mehr.',
  'Your passkeys': 'Ihre Passkeys',
  'Your password alone is enough to log in.': 'Zum Anmelden genügt Ihr Passwort allein.',
  'Your password was changed. You are now logged out on all other devices.':
    'Ihr Passwort wurde geändert. Auf allen anderen Geräten sind Sie jetzt abgemeldet.',
  'Your role needs a second factor': 'Ihre Rolle verlangt einen zweiten Faktor',
  'Your role needs a second factor. Add one first.':
    'Ihre Rolle braucht einen zweiten Faktor. Fügen Sie zuerst einen hinzu.',
  'here since {time}': 'hier seit {time}',
  '{browser} on {system}': '{browser} unter {system}',
  '{name} can log in again.': '{name} kann sich wieder anmelden.',
  '{name} can then log in as before, with the same password and role.':
    '{name} kann sich dann wie zuvor anmelden, mit demselben Passwort und derselben Rolle.',
  '{name} is logged out everywhere, and can no longer log in.':
    '{name} ist überall abgemeldet und kann sich nicht mehr anmelden.',
  '{name} is logged out on all devices, and cannot log in. Open links that {name} made stop working. What {name} did stays, with the name. You can enable the account later.':
    '{name} wird auf allen Geräten abgemeldet und kann sich nicht mehr anmelden. Offene Links von {name} funktionieren nicht mehr. Was {name} getan hat, bleibt mit dem Namen. Sie können das Konto später wieder freigeben.',
};
