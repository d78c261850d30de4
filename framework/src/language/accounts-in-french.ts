/** The texts of accounts in French. */
import type { AccountTexts } from './account-texts.ts';

export const accountsInFrench: AccountTexts = {
  '1. Scan the QR code': '1. Scannez le code QR',
  '2. Save the recovery codes': '2. Conservez les codes de secours',
  '3. Enter a code': '3. Saisissez un code',
  'A browser': 'Un navigateur',
  'A company account was linked.': 'Un compte d’entreprise a été associé.',
  'A device was logged out.': 'Un appareil a été déconnecté.',
  'A linked company account was removed.': 'Un compte d’entreprise associé a été retiré.',
  'A log-in failed.': 'Une connexion a échoué.',
  'A new password for {site}': 'Un nouveau mot de passe pour {site}',
  'A passkey logs you in with a fingerprint, a face or a PIN, without a password.':
    'Une clé d’accès vous connecte avec une empreinte, un visage ou un code PIN, sans mot de passe.',
  'A passkey was added.': 'Une clé d’accès a été ajoutée.',
  'A passkey was refused.': 'Une clé d’accès a été refusée.',
  'A passkey was removed.': 'Une clé d’accès a été supprimée.',
  'A recovery code was used.': 'Un code de secours a été utilisé.',
  'A role of the company account was ignored.': 'Un rôle du compte d’entreprise a été ignoré.',
  'A second factor was switched on.': 'Un second facteur a été activé.',
  'Add a passkey': 'Ajouter une clé d’accès',
  'Add a passkey first': 'Ajoutez d’abord une clé d’accès',
  'Add a second factor': 'Ajouter un second facteur',
  Added: 'Ajoutée',
  'After that, you log in with a passkey in place of a code.':
    'Ensuite, vous vous connectez avec une clé d’accès à la place d’un code.',
  'After that, you need no second factor to log in.':
    'Ensuite, vous n’aurez plus besoin d’un second facteur pour vous connecter.',
  'After that, your password alone no longer logs you in. A recovery code replaces the passkey once.':
    'Personne ne pourra alors se connecter avec votre seul mot de passe. Un code de secours remplace une fois la clé d’accès.',
  'After that, {address} at {provider} logs you in to your account {name}.':
    'Ensuite, {address} ({provider}) permet de se connecter à votre compte {name}.',
  'After the password, you are also asked for a passkey.':
    'Une clé d’accès est aussi demandée après le mot de passe.',
  'All other devices are now logged out.': 'Tous les autres appareils sont maintenant déconnectés.',
  'All other devices were logged out.': 'Tous les autres appareils ont été déconnectés.',
  'Also ask for a passkey after the password':
    'Demander aussi une clé d’accès après le mot de passe',
  'An account here already has your address. Log in to it once as usual; then you can link your company account.':
    'Il existe ici un compte avec votre adresse. Connectez-vous une fois comme d’habitude ; vous pourrez ensuite l’associer.',
  'An administrator knows your password. Choose a new one first.':
    'Un administrateur connaît votre mot de passe. Choisissez-en d’abord un nouveau.',
  'An administrator made a link for a new password.':
    'Un administrateur a créé un lien pour un nouveau mot de passe.',
  'An invitation to {site}': 'Une invitation à {site}',
  'An invitation was made.': 'Une invitation a été créée.',
  'An invitation was withdrawn.': 'Une invitation a été retirée.',
  'At least 8 characters. A few words in a row are easy to remember and hard to guess.':
    'Au moins 8 caractères. Quelques mots à la suite sont faciles à retenir et difficiles à deviner.',
  'Change your own password on the page of your account':
    'Modifiez votre propre mot de passe sur la page de votre compte',
  'Change your password': 'Changer de mot de passe',
  'Check your email': 'Consultez votre messagerie',
  'Choose a new password': 'Choisir un nouveau mot de passe',
  'Choose a role': 'Choisissez un rôle',
  'Company account': 'Compte d’entreprise',
  'Company accounts': 'Comptes d’entreprise',
  'Confirm that it is you': 'Confirmez que c’est bien vous',
  'Confirm the address': 'Confirmer l’adresse',
  'Confirm your address at {site}': 'Confirmez votre adresse pour {site}',
  Continue: 'Continuer',
  'Continue to your company’s log-in': 'Vers la connexion de votre entreprise',
  'Create account': 'Créer le compte',
  'Create an account': 'Créer un compte',
  'Create the first account': 'Créer le premier compte',
  'Current password': 'Mot de passe actuel',
  'Current password is incorrect': 'Le mot de passe actuel est incorrect',
  'Delete your account': 'Supprimer votre compte',
  Device: 'Appareil',
  Devices: 'Appareils',
  'Disable the account': 'Désactiver le compte',
  Disabled: 'Désactivé',
  'Do not ask again on this device for 30 days':
    'Ne plus demander sur cet appareil pendant 30 jours',
  'Don’t tick this on a shared computer.': 'Ne cochez pas cette case sur un ordinateur partagé.',
  'Download the codes': 'Télécharger les codes',
  'Each code works once, in place of the second factor.':
    'Chaque code sert une seule fois, à la place du second facteur.',
  'Email address': 'Adresse électronique',
  'Email address or name': 'Adresse électronique ou nom',
  'Email address or password is incorrect': 'Adresse électronique ou mot de passe incorrect',
  'Enable the account': 'Réactiver le compte',
  'Enter a name': 'Saisissez un nom',
  'Enter a new password': 'Saisissez un nouveau mot de passe',
  'Enter a password': 'Saisissez un mot de passe',
  'Enter a recovery code': 'Saisissez un code de secours',
  'Enter a username': 'Saisissez un nom d’utilisateur',
  'Enter an email address': 'Saisissez une adresse électronique',
  'Enter an email address or a name': 'Saisissez une adresse électronique ou un nom',
  'Enter the code that the app shows now. From then on, you need one each time you log in.':
    'Saisissez le code que l’application affiche. Il vous en faudra ensuite un à chaque connexion.',
  'Enter the code that your app shows': 'Saisissez le code affiché par votre application',
  'Enter the name of the person': 'Saisissez le nom de la personne',
  'Enter your current password': 'Saisissez votre mot de passe actuel',
  'Enter your email address': 'Saisissez votre adresse électronique',
  'Enter your password': 'Saisissez votre mot de passe',
  'Enter your username': 'Saisissez votre nom d’utilisateur',
  Expires: 'Expire',
  'From 3 to 40 letters, digits, dots, hyphens or underscores.':
    'De 3 à 40 lettres, chiffres, points, traits d’union ou tirets bas.',
  'I already have an account': 'J’ai déjà un compte',
  'I forgot my password': 'Mot de passe oublié',
  'I have saved these codes': 'J’ai conservé ces codes',
  'If this was not you, tell an administrator.':
    'Si ce n’était pas vous, prévenez un administrateur.',
  'If you did not ask for this, ignore this email.':
    'Si vous n’avez rien demandé, ignorez cet e-mail.',
  'If you forgot your password, an administrator can make a link for you to choose a new one.':
    'Si vous avez oublié votre mot de passe, un administrateur peut créer un lien qui vous permet d’en choisir un nouveau.',
  'If you lose your phone, log in with one of these codes instead. Each works once. They are shown only now: print them, or save the file.':
    'Si vous perdez votre téléphone, connectez-vous avec l’un de ces codes. Chacun sert une seule fois. Ils ne sont affichés que maintenant : imprimez-les, ou enregistrez le fichier.',
  'If {name} has lost the second factor, remove it. {name} is logged out, and will be told.':
    'Si {name} a perdu le second facteur, retirez-le. Les sessions de {name} se ferment, et un message l’en informe.',
  Invite: 'Inviter',
  'Invite somebody': 'Inviter une personne',
  'Invited by': 'Invité par',
  Key: 'Clé',
  'Last active': 'Dernière activité',
  'Last used': 'Dernière utilisation',
  'Leave it empty to use the name of the app or device that stores it.':
    'Laissez ce champ vide pour lui donner le nom du programme ou de l’appareil qui la conserve.',
  'Link a company account': 'Associer un compte d’entreprise',
  'Link by email': 'Lien reçu par e-mail',
  'Link it': 'Associer',
  'Link your company account': 'Associer votre compte d’entreprise',
  'Log in': 'Se connecter',
  'Log in again': 'Se connecter de nouveau',
  'Log in to continue.': 'Connectez-vous pour continuer.',
  'Log in to {site}': 'Connexion à {site}',
  'Log in with a link by email': 'Se connecter avec un lien reçu par e-mail',
  'Log in with a passkey': 'Se connecter avec une clé d’accès',
  'Log in with {provider}': 'Se connecter avec {provider}',
  'Log out and continue': 'Se déconnecter et continuer',
  'Log out': 'Se déconnecter',
  'Log out on all other devices': 'Se déconnecter de tous les autres appareils',
  'Log out on all other devices?': 'Se déconnecter de tous les autres appareils ?',
  'Log out on {device}?': 'Se déconnecter de l’appareil {device} ?',
  'Log out there': 'Déconnecter cet appareil',
  'Logged in.': 'Connexion.',
  'Logged out.': 'Déconnexion.',
  'Make a link for a new password': 'Créer un lien pour un nouveau mot de passe',
  'Make a new link': 'Créer un nouveau lien',
  'Make new recovery codes': 'Créer de nouveaux codes de secours',
  'Make recovery codes first': 'Créez d’abord des codes de secours',
  Name: 'Nom',
  'Name of the new passkey': 'Nom de la nouvelle clé d’accès',
  'Network address': 'Adresse réseau',
  'New password': 'Nouveau mot de passe',
  'New password again': 'Nouveau mot de passe, une deuxième fois',
  'New password must be different from the current one':
    'Le nouveau mot de passe doit être différent de l’actuel',
  'New recovery codes were made.': 'De nouveaux codes de secours ont été créés.',
  'No company account is linked to your account.':
    'Aucun compte d’entreprise n’est associé à votre compte.',
  'No email? Check your spam folder, and wait a few minutes.':
    'Pas d’e-mail ? Regardez dans le dossier des indésirables, et attendez quelques minutes.',
  'No name': 'Sans nom',
  'Not used yet': 'Pas encore utilisée',
  'Nothing was changed. The link was used already, has expired, was replaced by a newer one, or is incomplete.':
    'Rien n’a été modifié. Le lien a déjà été utilisé, a expiré, a été remplacé par un plus récent ou est incomplet.',
  'Once you use the button, these codes replace all earlier ones.':
    'Dès que vous utilisez le bouton, ces codes remplacent tous les précédents.',
  'One-time code': 'Code à usage unique',
  'One-time codes are switched off.': 'Les codes à usage unique sont désactivés.',
  'One-time codes are switched on.': 'Les codes à usage unique sont activés.',
  'Open invitations': 'Invitations en attente',
  'Open this link in the browser in which you asked for it, or ask for a new one here.':
    'Ouvrez ce lien dans le navigateur où vous l’avez demandé, ou demandez-en un nouveau ici.',
  'Other ways to log in': 'Autres façons de se connecter',
  'Others see you as {name}.': 'Les autres vous voient sous le nom de {name}.',
  Passkey: 'Clé d’accès',
  Password: 'Mot de passe',
  'Password again': 'Mot de passe, une deuxième fois',
  People: 'Personnes',
  'QR code for the app': 'Code QR pour l’application',
  'Recent activity': 'Activité récente',
  'Recovery code': 'Code de secours',
  'Recovery codes': 'Codes de secours',
  'Recovery codes for {site}': 'Codes de secours pour {site}',
  Remove: 'Retirer',
  'Remove a passkey first: you have 20': 'Supprimez d’abord une clé d’accès : vous en avez 20',
  'Remove the passkey': 'Supprimer la clé d’accès',
  'Remove the second factor': 'Retirer le second facteur',
  'Remove {provider}?': 'Retirer {provider} ?',
  'Removing it logs you out on all other devices.':
    'La supprimer vous déconnecte de tous les autres appareils.',
  Role: 'Rôle',
  Save: 'Enregistrer',
  'Save password': 'Enregistrer le mot de passe',
  'Save the name': 'Enregistrer le nom',
  'Save the role': 'Enregistrer le rôle',
  'Scan this with an authenticator app, or enter the key in it.':
    'Scannez ceci avec une application d’authentification, ou saisissez-y la clé.',
  'Second factor': 'Second facteur',
  'Send a link': 'Envoyer un lien',
  'Send it again': 'Envoyer de nouveau',
  'Send this link to {name}. It is shown only now, works once, and expires in 24 hours: {link}':
    'Envoyez ce lien à {name}. Il n’est affiché que maintenant, sert une seule fois et expire dans 24 heures : {link}',
  'Send this link to {name}. It is shown only now, works once, and expires in 7 days: {link}':
    'Envoyez ce lien à {name}. Il n’est affiché que maintenant, sert une seule fois et expire dans 7 jours : {link}',
  'Somebody asked for a link to log in to {site} with this address, but no account has it. Perhaps you registered with another address.':
    'Quelqu’un a demandé un lien de connexion à {site} avec cette adresse, mais aucun compte ne l’utilise. Vous vous êtes peut-être inscrit avec une autre adresse.',
  'Somebody asked for a new password for {site} with this address, but no account has it. Perhaps you registered with another address.':
    'Quelqu’un a demandé un nouveau mot de passe pour {site} avec cette adresse, mais aucun compte ne l’utilise. Vous vous êtes peut-être inscrit avec une autre adresse.',
  'Start again': 'Recommencer',
  'Stay logged in as {name}': 'Rester connecté en tant que {name}',
  'Stay logged in on this device': 'Rester connecté sur cet appareil',
  'Switch off one-time codes': 'Désactiver les codes à usage unique',
  'Switch on': 'Activer',
  'That device is now logged out.': 'Cet appareil est maintenant déconnecté.',
  'That invitation was used or withdrawn already, or has expired.':
    'Cette invitation a déjà été utilisée ou retirée, ou a expiré.',
  'The account was created.': 'Le compte a été créé.',
  'The account was deleted.': 'Le compte a été supprimé.',
  'The account was disabled.': 'Le compte a été désactivé.',
  'The account was enabled.': 'Le compte a été réactivé.',
  'The address is confirmed.': 'L’adresse est confirmée.',
  'The answer of your company does not belong to this log-in. Start again.':
    'La réponse de l’entreprise ne correspond pas à cette connexion. Recommencez.',
  'The company account was removed.': 'Le compte d’entreprise est retiré.',
  'The earlier link no longer works.': 'Le lien précédent ne fonctionne plus.',
  'The email address was changed.': 'L’adresse électronique a été modifiée.',
  'The invitation was sent to {name}.': 'L’invitation a été envoyée à {name}.',
  'The invitation was withdrawn. Its link no longer works.':
    'L’invitation a été retirée. Son lien ne fonctionne plus.',
  'The link still works after that.': 'Le lien fonctionne encore ensuite.',
  'The link can be opened on this computer only, because its address is {host}: set PUBLIC_ORIGIN, or open this site at an address that others reach.':
    'Le lien ne s’ouvre que sur cet ordinateur, car son adresse est {host} : définissez PUBLIC_ORIGIN, ou ouvrez ce site à une adresse que d’autres peuvent atteindre.',
  'The log-in was cancelled, or your company refused it.':
    'La connexion a été annulée, ou l’entreprise l’a refusée.',
  'The name was saved.': 'Le nom a été enregistré.',
  'The new role is {role}.': 'Le nouveau rôle est {role}.',
  'The passkey was added.': 'La clé d’accès a été ajoutée.',
  'The passkey was not accepted': 'La clé d’accès n’a pas été acceptée',
  'The passkey was removed.': 'La clé d’accès a été supprimée.',
  'The password was changed.': 'Le mot de passe a été modifié.',
  'The password was reset.': 'Le mot de passe a été réinitialisé.',
  'The role is now {role}.': 'Le rôle est maintenant {role}.',
  'The role was changed.': 'Le rôle a été modifié.',
  'The second factor was incorrect.': 'Le second facteur était incorrect.',
  'The second factor was removed. {name} will be told.':
    'Le second facteur a été retiré. {name} en sera informé.',
  'The second factor was switched off.': 'Le second facteur a été désactivé.',
  'There are no accounts yet. The first one becomes the administrator of this site.':
    'Il n’y a encore aucun compte. Le premier devient l’administrateur de ce site.',
  'There is no account here for your company account. Ask an administrator for an invitation. If you have an account, log in to it and link your company account there.':
    'Aucun compte ne correspond ici à votre compte d’entreprise. Demandez une invitation à un administrateur. Si vous avez un compte, connectez-vous et associez-y votre compte d’entreprise.',
  'There is no such person.': 'Cette personne n’existe pas.',
  'This code is incorrect, or was already used': 'Ce code est incorrect, ou a déjà été utilisé',
  'This code is incorrect. Look at the app again, and check that the clock of the phone is right':
    'Ce code est incorrect. Regardez de nouveau l’application, et vérifiez l’heure du téléphone',
  'This company account belongs to another account here.':
    'Ce compte d’entreprise appartient ici à un autre compte.',
  'This company account is linked to no account here now. Log in another way.':
    'Ce compte d’entreprise n’est plus associé à aucun compte ici. Connectez-vous autrement.',
  'This deletes your account, and everything that you log in with. It cannot be undone.':
    'Votre compte et tous ses moyens de connexion seront supprimés. Cette action est irréversible.',
  'This device': 'Cet appareil',
  'This is not an email address': 'Ce n’est pas une adresse électronique',
  'This is the only administrator. Make another person one first':
    'C’est le seul administrateur. Donnez d’abord ce rôle à une autre personne',
  'This is your only way to log in. Add another one first':
    'C’est votre seul moyen de connexion. Ajoutez-en d’abord un autre',
  'This link does not work': 'Ce lien ne fonctionne pas',
  'This link is for another account: {name}. To use it, log out first.':
    'Ce lien concerne un autre compte : {name}. Pour l’utiliser, déconnectez-vous d’abord.',
  'This link was used already, has expired, or is incomplete. Ask for another one.':
    'Ce lien a déjà été utilisé, a expiré ou est incomplet. Demandez-en un autre.',
  'This log-in has expired, was already used, or was started in another browser. Start again.':
    'Cette connexion a expiré, a déjà servi ou a été commencée dans un autre navigateur. Recommencez.',
  'This logs you in as {name}, and out on all other devices.':
    'Cela vous connecte en tant que {name}, et vous déconnecte de tous les autres appareils.',
  'This logs you in as {name}.': 'Cela vous connecte en tant que {name}.',
  'This logs you out on all other devices, and withdraws the open links that you made.':
    'Cela vous déconnecte de tous les autres appareils et annule les liens en attente que vous avez créés.',
  'This logs you out on all other devices.': 'Cela vous déconnecte de tous les autres appareils.',
  'This page has expired. Open it again': 'Cette page a expiré. Ouvrez-la de nouveau',
  'This page was open for too long. Try again':
    'Cette page est restée ouverte trop longtemps. Réessayez',
  'This passkey is already in use': 'Cette clé d’accès est déjà utilisée',
  'This passkey was already removed': 'Cette clé d’accès a déjà été supprimée',
  'To add a passkey, switch on JavaScript.': 'Pour ajouter une clé d’accès, activez JavaScript.',
  'To choose a new password for {site}, open this link within an hour:':
    'Pour choisir un nouveau mot de passe pour {site}, ouvrez ce lien dans l’heure :',
  'To confirm this address for your account at {site}, open this link within 24 hours:':
    'Pour confirmer cette adresse pour votre compte {site}, ouvrez ce lien dans les 24 heures :',
  'To create another account, log out first.':
    'Pour créer un autre compte, déconnectez-vous d’abord.',
  'To create your account at {site}, open this link within 24 hours:':
    'Pour créer votre compte {site}, ouvrez ce lien dans les 24 heures :',
  'To do this, you must have logged in within the last {minutes} minutes.':
    'Pour cela, vous devez vous être connecté au cours des {minutes} dernières minutes.',
  'To invite somebody, or to change a role, ask an administrator: {names}.':
    'Pour inviter quelqu’un ou changer un rôle, adressez-vous à {names}.',
  'To log in to {site}, open this link within 10 minutes, in the browser in which you asked for it:':
    'Pour vous connecter à {site}, ouvrez ce lien dans les 10 minutes, dans le navigateur où vous l’avez demandé :',
  'Too many invitations are open. Withdraw one first':
    'Trop d’invitations sont en attente. Retirez-en d’abord une',
  'Type the password again': 'Saisissez de nouveau le mot de passe',
  'Use a one-time code': 'Utiliser un code à usage unique',
  'Use a passkey': 'Utiliser une clé d’accès',
  'Use a recovery code': 'Utiliser un code de secours',
  Username: 'Nom d’utilisateur',
  'Username is taken; choose another one':
    'Ce nom d’utilisateur est déjà pris ; choisissez-en un autre',
  'Username must be made of letters a to z, digits, dots, hyphens and underscores':
    'Le nom d’utilisateur ne doit comporter que des lettres de a à z, des chiffres, des points, des traits d’union et des tirets bas',
  'Username or password is incorrect': 'Nom d’utilisateur ou mot de passe incorrect',
  'We can’t reach your company’s log-in right now. Try again in a few minutes, or log in another way.':
    'La connexion de l’entreprise est injoignable pour le moment. Réessayez dans quelques minutes, ou connectez-vous d’une autre façon.',
  'We have sent an email to the address that you entered. Open the link in it.':
    'Nous avons envoyé un e-mail à l’adresse saisie. Ouvrez le lien qu’il contient.',
  'We will send a link to the new address. It becomes your address once you open the link.':
    'Nous enverrons un lien à la nouvelle adresse. Elle devient la vôtre dès que vous l’ouvrez.',
  'We will send you a link that logs you in.': 'Nous vous enverrons un lien qui vous connecte.',
  'We will send you a link to choose a new password.':
    'Nous vous enverrons un lien pour choisir un nouveau mot de passe.',
  What: 'Quoi',
  'What you typed is kept on this page. Log in, and the form comes back as you filled it in.':
    'Ce que vous avez saisi est conservé sur cette page. Connectez-vous, et le formulaire revient tel que vous l’avez rempli.',
  When: 'Quand',
  'Who the link is for.': 'La personne à qui le lien est destiné.',
  'With a link, {name} chooses a new password. It works once, within 24 hours, and logs {name} out on all devices.':
    'Avec un lien, {name} choisit un nouveau mot de passe. Il fonctionne une fois, pendant 24 heures, et ferme toutes les sessions de {name}.',
  Withdraw: 'Retirer',
  'You are already logged in': 'Vous êtes déjà connecté',
  'Without an address, you get a link to hand over.':
    'Sans adresse, vous recevez un lien à transmettre.',
  'You are invited to {site}. To create your account, open this link within 7 days:':
    'Vous êtes invité à rejoindre {site}. Pour créer votre compte, ouvrez ce lien dans les 7 jours :',
  'You are invited. Choose a username and a password of your own.':
    'Voici votre invitation. Choisissez un nom d’utilisateur et un mot de passe.',
  'You are logged in as {name}.': 'Vous êtes connecté en tant que {name}.',
  'You are not logged in with your company account':
    'Vous n’êtes pas connecté avec votre compte d’entreprise',
  'You are the only administrator. Make another person one first':
    'Vous êtes le seul administrateur. Donnez d’abord ce rôle à une autre personne',
  'You cannot register here': 'Vous ne pouvez pas créer de compte ici',
  'You have an account at {site} already. To log in, open this link:':
    'Vous avez déjà un compte {site}. Pour vous connecter, ouvrez ce lien :',
  'You need an invitation to register here. Ask an administrator for one.':
    'Il faut une invitation pour créer un compte ici. Demandez-en une à un administrateur.',
  'Your account': 'Votre compte',
  'Your account at {site}': 'Votre compte {site}',
  'Your account at {site} has changed': 'Votre compte {site} a été modifié',
  'Your account here is disabled. Ask an administrator.':
    'Votre compte ici est désactivé. Adressez-vous à un administrateur.',
  'Your account may no longer do this.': 'Votre compte n’y est plus autorisé.',
  'Your account may not do this.': 'Votre compte n’y est pas autorisé.',
  'Your account was deleted.': 'Votre compte a été supprimé.',
  'Your choice was saved.': 'Votre choix a été enregistré.',
  'Your company account has no confirmed address, so no account was created here. Ask an administrator.':
    'Votre compte d’entreprise n’a pas d’adresse confirmée avec laquelle créer un compte ici. Adressez-vous à un administrateur.',
  'Your company account is linked.': 'Votre compte d’entreprise est associé.',
  'Your company account may not log in here. Ask an administrator.':
    'Votre compte d’entreprise ne peut pas se connecter ici. Adressez-vous à un administrateur.',
  'Your company did not ask you to log in again. Log in another way.':
    'L’entreprise ne vous a pas demandé de vous reconnecter. Connectez-vous d’une autre façon.',
  'Your company does not say when you logged in there. Log in another way.':
    'L’entreprise n’indique pas quand vous vous y êtes connecté. Connectez-vous d’une autre façon.',
  'Your details': 'Vos informations',
  'Your details were saved.': 'Vos informations ont été enregistrées.',
  'Your email address is {email}.': 'Votre adresse électronique est {email}.',
  'Your new recovery codes are now valid. The earlier ones no longer work.':
    'Vos nouveaux codes de secours sont maintenant valables. Les précédents ne fonctionnent plus.',
  'Your passkeys': 'Vos clés d’accès',
  'Your password alone is enough to log in.': 'Votre mot de passe seul suffit pour vous connecter.',
  'Your password was changed. You are now logged out on all other devices.':
    'Votre mot de passe a été modifié. Vous êtes maintenant déconnecté de tous les autres appareils.',
  'Your role needs a second factor': 'Votre rôle exige un second facteur',
  'Your role needs a second factor. Add one first.':
    'Votre rôle exige un second facteur. Ajoutez-en d’abord un.',
  'here since {time}': 'ici depuis le {time}',
  '{browser} on {system}': '{browser} sous {system}',
  '{name} can log in again.': '{name} peut de nouveau se connecter.',
  '{name} can then log in as before, with the same password and role.':
    '{name} pourra alors se connecter comme avant, avec le même mot de passe et le même rôle.',
  '{name} is logged out everywhere, and can no longer log in.':
    '{name} est déconnecté partout et ne peut plus se connecter.',
  '{name} is logged out on all devices, and cannot log in. Open links that {name} made stop working. What {name} did stays, with the name. You can enable the account later.':
    'Toutes les sessions de {name} se ferment, et le compte ne permet plus de se connecter. Les liens ouverts créés par {name} ne fonctionnent plus. Ce que {name} a fait reste, avec le nom. Vous pourrez réactiver le compte plus tard.',
};
