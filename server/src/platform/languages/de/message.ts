import type { MessageTexts } from '../catalogue.ts';

export const message: MessageTexts = {
  'mail.via': '{sender} über Bestow',
  'mail.subject': '{sender} hat dir ein Geschenk geschickt',
  'mail.reminderSubject': 'Dein Geschenk von {sender} wartet',
  'mail.stillWrapped': 'Es ist noch verpackt.',
  'mail.worth': '{amount} für {category}.',
  'mail.anytime': 'Öffne es, wann immer du möchtest.',
  'mail.fromThrough': 'von {sender}, geschickt über {organization}',
  'mail.category': 'für {category}',
  'mail.open': 'Geschenk öffnen',
  'mail.copyLink': 'Wenn der Knopf nicht funktioniert, kopiere diese Adresse in deinen Browser:',
  'mail.reminder': 'Das ist eine Erinnerung.',
  'mail.stop': 'Keine Erinnerungen mehr',
  'mail.stopHere': 'Das ist eine Erinnerung. Hier kannst du sie abbestellen:',
  'real.title': 'Ist das echt?',
  'real.yes': 'Ja. {sender} hat es mit Bestow geschickt, und es ist schon bezahlt.',
  'real.yesFor': 'Ja. {organization} hat es im Auftrag von {sender} mit Bestow geschickt, und es ist schon bezahlt.',
  'real.free':
    'Das Öffnen kostet nichts. Niemand fragt dich nach einem Passwort, einer Zahlung oder deiner Kartennummer.',
  'real.button':
    'Der Knopf führt zu {host}: Prüfe, ob dein Browser diesen Namen zeigt. Wenn du kein Geschenk erwartet hast, frage {sender} vor dem Öffnen auf einem Weg, dem du vertraust.',
  'real.link':
    'Der Link führt zu {host}: Prüfe, ob dein Browser diesen Namen zeigt. Wenn du kein Geschenk erwartet hast, frage {sender} vor dem Öffnen auf einem Weg, dem du vertraust.',
  'real.forward': 'Wer diese Nachricht hat, kann das Geschenk öffnen. Leite sie also nicht weiter.',

  'text.hello': 'Hallo,',
  'text.dear': 'Hallo {recipient},',
  'text.waiting': 'dein Geschenk wartet.',
  'text.sent': '{sender} hat dir ein Geschenk geschickt.',
  'text.sentWorth': '{sender} hat dir ein Geschenk geschickt: {amount} für {category}.',
  'text.through': '{sender} hat dir über {organization} ein Geschenk geschickt.',
  'text.throughWorth': '{sender} hat dir über {organization} ein Geschenk geschickt: {amount} für {category}.',
  'text.open': 'Öffne es hier, wann immer du möchtest:',
  'text.openBy': 'Öffne es hier, und löse es bis zum {day} ein:',

  'sms.open': '{name} hat dir ein Geschenk geschickt. Öffne es: {link}',
  'sms.claim': '{name} hat dir ein Geschenk geschickt. Löse es bis zum {day} ein: {link}',
  'sms.noteOpen': '{name} hat dir ein Geschenk mit Nachricht geschickt. Öffne es: {link}',
  'sms.noteClaim': '{name} hat dir ein Geschenk mit Nachricht geschickt. Löse es bis zum {day} ein: {link}',
  'sms.stop': 'Keine Erinnerungen mehr: {link}',
  'sms.short': '{name}: Geschenk für dich {link}',
  'sms.shortUntil': '{name}: Geschenk für dich bis {day} {link}',
  'sms.shortNote': '{name}: ein Geschenk mit Nachricht {link}',
  'sms.shortNoteUntil': '{name}: ein Geschenk mit Nachricht bis {day} {link}',
  'sms.cardCode': 'Dein Code für die Geschenkkarte ist {code}. Er gilt zehn Minuten. Gib ihn nicht weiter.',
  'sms.finderCode': 'Dein Code, um deine Geschenke zu finden, ist {code}. Er gilt zehn Minuten. Gib ihn nicht weiter.',

  'code.title': 'Dein Code',
  'code.once':
    '{minutes, plural, one {Er gilt einmal, innerhalb von # Minute.} other {Er gilt einmal, innerhalb von # Minuten.}}',
  'code.secret': 'Gib diesen Code nicht weiter',
  'cardCode.subject': 'Dein Code für die Karte deines Geschenks',
  'cardCode.lead': 'Gib ihn auf der Seite deines Geschenks ein, um die Kartennummer zu sehen.',
  'cardCode.warning':
    'Wer diesen Code und den Link des Geschenks hat, kann deine Karte benutzen. Bestow fragt nie danach.',
  'cardCode.unasked':
    'Wenn du keinen Code angefordert hast, ignoriere diese E-Mail. Ohne den Code kann niemand die Nummer sehen.',
  'cardCode.reason':
    'Du bekommst diese E-Mail, weil jemand die Nummer einer Karte sehen wollte, die ein Geschenk an dich war.',
  'finderCode.subject': 'Dein Code, um deine Geschenke zu finden',
  'finderCode.lead': 'Gib ihn auf der Seite ein, die danach gefragt hat, um deine Geschenke zu sehen.',
  'finderCode.warning': 'Wer diesen Code hat, kann deine Geschenke öffnen. Bestow fragt nie danach.',
  'finderCode.unasked':
    'Wenn du keinen Code angefordert hast, ignoriere diese E-Mail. Ohne den Code kann niemand deine Geschenke sehen.',
  'finderCode.reason':
    'Du bekommst diese E-Mail, weil jemand nach Geschenken gefragt hat, die an deine Adresse gingen.',
  'cardReopened.subject': 'Die Karte deines Geschenks kann umziehen',
  'cardReopened.title': 'Deine Karte kann umziehen',
  'cardReopened.lead':
    'Wer dir das Geschenk gemacht hat, gibt die Kartennummer einmal für einen anderen Browser frei, innerhalb von {hours} Stunden.',
  'cardReopened.notes': 'Wenn du nicht darum gebeten hast',
  'cardReopened.tell': 'Sag sofort dort Bescheid, woher dein Geschenk kommt. Die Karte kann gesperrt werden.',
  'cardReopened.after': 'Sobald ein anderer Browser die Karte übernimmt, zeigt der bisherige die Nummer nicht mehr.',
  'cardReopened.reason': 'Du bekommst diese E-Mail, weil du dieses Geschenk eingelöst hast.',
  'sms.cardReopened':
    'Die Karte deines Geschenks ist einmal für einen anderen Browser freigegeben. Wenn du nicht darum gebeten hast, sag sofort dort Bescheid, woher das Geschenk kommt.',
};
