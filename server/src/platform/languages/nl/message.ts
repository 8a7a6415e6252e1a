import type { MessageTexts } from '../catalogue.ts';

export const message: MessageTexts = {
  'mail.via': '{sender} via Bestow',
  'mail.subject': '{sender} heeft je een cadeau gestuurd',
  'mail.reminderSubject': 'Je cadeau van {sender} wacht op je',
  'mail.stillWrapped': 'Het is nog ingepakt.',
  'mail.worth': '{amount} voor {category}.',
  'mail.anytime': 'Open het wanneer je maar wilt.',
  'mail.fromThrough': 'van {sender}, gestuurd via {organization}',
  'mail.category': 'voor {category}',
  'mail.open': 'Open je cadeau',
  'mail.copyLink': 'Werkt de knop niet, kopieer dan dit adres in je browser:',
  'mail.reminder': 'Dit is een herinnering.',
  'mail.stop': 'Geen herinneringen meer',
  'mail.stopHere': 'Dit is een herinnering. Stop ze hier:',
  'real.title': 'Is dit echt?',
  'real.yes': 'Ja. {sender} heeft het met Bestow gestuurd, en het is al betaald.',
  'real.yesFor': 'Ja. {organization} heeft het met Bestow gestuurd namens {sender}, en het is al betaald.',
  'real.free': 'Openen is gratis. Niemand vraagt je om een wachtwoord, een betaling of je kaartnummer.',
  'real.button':
    'De knop leidt naar {host}: controleer of je browser deze naam toont. Verwachtte je geen cadeau, neem dan contact op met {sender} voordat je het opent, op een manier die je vertrouwt.',
  'real.link':
    'De link leidt naar {host}: controleer of je browser deze naam toont. Verwachtte je geen cadeau, neem dan contact op met {sender} voordat je het opent, op een manier die je vertrouwt.',
  'real.forward': 'Iedereen met dit bericht kan het cadeau openen, stuur het dus niet door.',

  'text.hello': 'Hallo,',
  'text.dear': 'Hallo {recipient},',
  'text.waiting': 'Je cadeau wacht op je.',
  'text.sent': '{sender} heeft je een cadeau gestuurd.',
  'text.sentWorth': '{sender} heeft je een cadeau gestuurd: {amount} voor {category}.',
  'text.through': '{sender} heeft je via {organization} een cadeau gestuurd.',
  'text.throughWorth': '{sender} heeft je via {organization} een cadeau gestuurd: {amount} voor {category}.',
  'text.open': 'Open het hier, wanneer je maar wilt:',
  'text.openBy': 'Open het hier, en wissel het uiterlijk {day} in:',

  'sms.open': '{name} heeft je een cadeau gestuurd. Open het: {link}',
  'sms.claim': '{name} heeft je een cadeau gestuurd. Wissel het uiterlijk {day} in: {link}',
  'sms.noteOpen': '{name} heeft je een cadeau met een bericht gestuurd. Open het: {link}',
  'sms.noteClaim': '{name} heeft je een cadeau met een bericht gestuurd. Wissel het uiterlijk {day} in: {link}',
  'sms.stop': 'Geen herinneringen meer: {link}',
  'sms.short': '{name}: een cadeau voor jou {link}',
  'sms.shortUntil': '{name}: een cadeau voor jou tot en met {day} {link}',
  'sms.shortNote': '{name}: een cadeau met een bericht {link}',
  'sms.shortNoteUntil': '{name}: een cadeau met een bericht tot en met {day} {link}',
  'sms.cardCode': 'Je code voor de cadeaukaart is {code}. Hij werkt tien minuten. Deel hem niet.',
  'sms.finderCode': 'Je code om je cadeaus te vinden is {code}. Hij werkt tien minuten. Deel hem niet.',

  'code.title': 'Je code',
  'code.once':
    '{minutes, plural, one {De code werkt één keer, binnen # minuut.} other {De code werkt één keer, binnen # minuten.}}',
  'code.secret': 'Deel deze code niet',
  'cardCode.subject': 'Je code voor de kaart van je cadeau',
  'cardCode.lead': 'Vul hem in op de pagina van je cadeau om het kaartnummer te zien.',
  'cardCode.warning':
    'Iedereen met deze code en de link van het cadeau kan je kaart gebruiken. Bestow vraagt er nooit om.',
  'cardCode.unasked':
    'Heb je geen code aangevraagd, negeer deze e-mail dan. Zonder de code kan niemand het nummer zien.',
  'cardCode.reason': 'Je krijgt deze e-mail omdat iemand het nummer vroeg van een kaart die een cadeau voor jou was.',
  'finderCode.subject': 'Je code om je cadeaus te vinden',
  'finderCode.lead': 'Vul hem in op de pagina die erom vroeg om je cadeaus te zien.',
  'finderCode.warning': 'Iedereen met deze code kan je cadeaus openen. Bestow vraagt er nooit om.',
  'finderCode.unasked':
    'Heb je geen code aangevraagd, negeer deze e-mail dan. Zonder de code kan niemand je cadeaus zien.',
  'finderCode.reason': 'Je krijgt deze e-mail omdat iemand vroeg naar de cadeaus die naar je adres zijn gestuurd.',
  'cardReopened.subject': 'De kaart van je cadeau kan naar een andere browser',
  'cardReopened.title': 'Je kaart kan verhuizen',
  'cardReopened.lead':
    'De afzender van je cadeau laat een andere browser het kaartnummer tonen, één keer, binnen {hours} uur.',
  'cardReopened.notes': 'Als je hier niet om hebt gevraagd',
  'cardReopened.tell': 'Laat het de afzender meteen weten. Die kan de kaart blokkeren.',
  'cardReopened.after': 'Zodra een andere browser de kaart overneemt, toont de vorige het nummer niet meer.',
  'cardReopened.reason': 'Je krijgt deze e-mail omdat je dit cadeau hebt ingewisseld.',
  'sms.cardReopened':
    'De afzender van je cadeau laat een andere browser de kaart tonen, één keer. Heb je hier niet om gevraagd? Laat het de afzender meteen weten.',
};
