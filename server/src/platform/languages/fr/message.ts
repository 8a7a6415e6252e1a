import type { MessageTexts } from '../catalogue.ts';

export const message: MessageTexts = {
  'mail.via': '{sender} via Bestow',
  'mail.subject': '{sender} vous a envoyé un cadeau',
  'mail.reminderSubject': 'Votre cadeau de {sender} vous attend',
  'mail.stillWrapped': 'Il est encore emballé.',
  'mail.worth': '{amount} pour {category}.',
  'mail.anytime': 'Ouvrez-le quand vous voulez.',
  'mail.fromThrough': 'de la part de {sender}, envoyé par l’intermédiaire de {organization}',
  'mail.category': 'pour {category}',
  'mail.open': 'Ouvrir votre cadeau',
  'mail.copyLink': 'Si le bouton ne fonctionne pas, copiez cette adresse dans votre navigateur :',
  'mail.reminder': 'Ceci est un rappel.',
  'mail.stop': 'Arrêter les rappels',
  'mail.stopHere': 'Ceci est un rappel. Arrêtez les rappels ici :',
  'real.title': 'Est-ce authentique ?',
  'real.yes': 'Oui. {sender} l’a envoyé avec Bestow, et il est déjà payé.',
  'real.yesFor': 'Oui. {organization} l’a envoyé avec Bestow pour le compte de {sender}, et il est déjà payé.',
  'real.free':
    'L’ouvrir est gratuit. Personne ne vous demandera de mot de passe, de paiement ni votre numéro de carte.',
  'real.button':
    'Le bouton mène à {host} : vérifiez que votre navigateur affiche ce nom. Si vous n’attendiez pas de cadeau, contactez {sender} avant de l’ouvrir, par un moyen auquel vous faites confiance.',
  'real.link':
    'Le lien mène à {host} : vérifiez que votre navigateur affiche ce nom. Si vous n’attendiez pas de cadeau, contactez {sender} avant de l’ouvrir, par un moyen auquel vous faites confiance.',
  'real.forward': 'Toute personne qui a ce message peut ouvrir le cadeau : ne le transférez pas.',

  'text.hello': 'Bonjour,',
  'text.dear': 'Bonjour {recipient},',
  'text.waiting': 'Votre cadeau vous attend.',
  'text.sent': '{sender} vous a envoyé un cadeau.',
  'text.sentWorth': '{sender} vous a envoyé un cadeau : {amount} pour {category}.',
  'text.through': '{sender} vous a envoyé un cadeau par l’intermédiaire de {organization}.',
  'text.throughWorth':
    '{sender} vous a envoyé un cadeau par l’intermédiaire de {organization} : {amount} pour {category}.',
  'text.open': 'Ouvrez-le ici, quand vous voulez :',
  'text.openBy': 'Ouvrez-le ici et récupérez-le avant la fin du {day} :',

  'sms.open': '{name} vous a envoyé un cadeau. Pour ouvrir : {link}',
  'sms.claim': '{name} vous a envoyé un cadeau. Valable avant la fin du {day} : {link}',
  'sms.noteOpen': '{name} vous a envoyé un cadeau avec un message. Pour ouvrir : {link}',
  'sms.noteClaim': '{name} vous a envoyé un cadeau avec un message. Valable avant la fin du {day} : {link}',
  'sms.stop': 'Stop rappels : {link}',
  'sms.short': '{name} : un cadeau {link}',
  'sms.shortUntil': '{name} : un cadeau avant le {day} {link}',
  'sms.shortNote': '{name} : un cadeau avec un message {link}',
  'sms.shortNoteUntil': '{name} : un cadeau avec un message avant le {day} {link}',
  'sms.cardCode': 'Votre code pour la carte cadeau est {code}. Valable dix minutes. Ne le partagez pas.',
  'sms.finderCode': 'Votre code pour retrouver vos cadeaux est {code}. Valable dix minutes. Ne le partagez pas.',

  'code.title': 'Votre code',
  'code.once':
    '{minutes, plural, one {Il fonctionne une fois, pendant # minute.} many {Il fonctionne une fois, pendant # minutes.} other {Il fonctionne une fois, pendant # minutes.}}',
  'code.secret': 'Ne partagez pas ce code',
  'cardCode.subject': 'Votre code pour la carte de votre cadeau',
  'cardCode.lead': 'Saisissez-le sur la page de votre cadeau pour voir le numéro de la carte.',
  'cardCode.warning':
    'Toute personne qui a ce code et le lien du cadeau peut utiliser votre carte. Bestow ne le demande jamais.',
  'cardCode.unasked':
    'Si vous n’avez pas demandé de code, ignorez cet e-mail. Sans le code, personne ne peut voir le numéro.',
  'cardCode.reason':
    'Vous recevez cet e-mail parce que quelqu’un a demandé le numéro d’une carte qui vous a été offerte.',
  'finderCode.subject': 'Votre code pour retrouver vos cadeaux',
  'finderCode.lead': 'Saisissez-le sur la page qui l’a demandé pour voir vos cadeaux.',
  'finderCode.warning': 'Toute personne qui a ce code peut ouvrir vos cadeaux. Bestow ne le demande jamais.',
  'finderCode.unasked':
    'Si vous n’avez pas demandé de code, ignorez cet e-mail. Sans le code, personne ne peut voir vos cadeaux.',
  'finderCode.reason': 'Vous recevez cet e-mail parce que quelqu’un a demandé les cadeaux envoyés à votre adresse.',
  'cardReopened.subject': 'La carte de votre cadeau peut changer de navigateur',
  'cardReopened.title': 'Votre carte peut changer de navigateur',
  'cardReopened.lead':
    'L’expéditeur de votre cadeau autorise un autre navigateur à afficher le numéro de la carte, une seule fois, dans un délai de {hours} heures.',
  'cardReopened.notes': 'Si vous ne l’avez pas demandé',
  'cardReopened.tell': 'Prévenez tout de suite l’expéditeur. Il peut bloquer la carte.',
  'cardReopened.after': 'Dès qu’un autre navigateur prend la carte, le précédent n’affiche plus le numéro.',
  'cardReopened.reason': 'Vous recevez cet e-mail parce que vous avez récupéré ce cadeau.',
  'sms.cardReopened':
    'L’expéditeur de votre cadeau autorise un autre navigateur à afficher la carte, une seule fois. Si vous ne l’avez pas demandé, prévenez-le tout de suite.',
};
