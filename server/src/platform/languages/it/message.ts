import type { MessageTexts } from '../catalogue.ts';

export const message: MessageTexts = {
  'mail.via': '{sender} tramite Bestow',
  'mail.subject': '{sender} ti ha inviato un regalo',
  'mail.reminderSubject': 'Il tuo regalo da {sender} ti aspetta',
  'mail.stillWrapped': 'È ancora incartato.',
  'mail.worth': '{amount} per {category}.',
  'mail.anytime': 'Aprilo quando vuoi.',
  'mail.fromThrough': 'da {sender}, inviato tramite {organization}',
  'mail.category': 'per {category}',
  'mail.open': 'Apri il tuo regalo',
  'mail.copyLink': 'Se il pulsante non funziona, copia questo indirizzo nel tuo browser:',
  'mail.reminder': 'Questo è un promemoria.',
  'mail.stop': 'Niente più promemoria',
  'mail.stopHere': 'Questo è un promemoria. Puoi disattivarli qui:',
  'real.title': 'È autentico?',
  'real.yes': 'Sì. {sender} l’ha inviato con Bestow, ed è già pagato.',
  'real.yesFor': 'Sì. {organization} l’ha inviato con Bestow per conto di {sender}, ed è già pagato.',
  'real.free': 'Aprirlo è gratis. Nessuno ti chiederà una password, un pagamento o il numero della tua carta.',
  'real.button':
    'Il pulsante porta a {host}: controlla che il tuo browser mostri questo nome. Se non aspettavi un regalo, contatta {sender} prima di aprirlo, in un modo di cui ti fidi.',
  'real.link':
    'Il link porta a {host}: controlla che il tuo browser mostri questo nome. Se non aspettavi un regalo, contatta {sender} prima di aprirlo, in un modo di cui ti fidi.',
  'real.forward': 'Chiunque abbia questo messaggio può aprire il regalo, quindi non inoltrarlo.',

  'text.hello': 'Ciao,',
  'text.dear': 'Ciao {recipient},',
  'text.waiting': 'il tuo regalo ti aspetta.',
  'text.sent': '{sender} ti ha inviato un regalo.',
  'text.sentWorth': '{sender} ti ha inviato un regalo: {amount} per {category}.',
  'text.through': '{sender} ti ha inviato un regalo tramite {organization}.',
  'text.throughWorth': '{sender} ti ha inviato un regalo tramite {organization}: {amount} per {category}.',
  'text.open': 'Aprilo qui, quando vuoi:',
  'text.openBy': 'Aprilo qui e riscattalo entro il {day}:',

  'sms.open': '{name} ti ha inviato un regalo. Aprilo: {link}',
  'sms.claim': '{name} ti ha inviato un regalo. Riscattalo entro il {day}: {link}',
  'sms.noteOpen': '{name} ti ha inviato un regalo con un messaggio. Aprilo: {link}',
  'sms.noteClaim': '{name} ti ha inviato un regalo con un messaggio. Riscattalo entro il {day}: {link}',
  'sms.stop': 'Niente più promemoria: {link}',
  'sms.short': '{name}: un regalo per te {link}',
  'sms.shortUntil': '{name}: un regalo per te entro il {day} {link}',
  'sms.shortNote': '{name}: un regalo con un messaggio {link}',
  'sms.shortNoteUntil': '{name}: un regalo con un messaggio entro il {day} {link}',
  'sms.cardCode': 'Il tuo codice per la carta regalo è {code}. Vale dieci minuti. Non condividerlo.',
  'sms.finderCode': 'Il tuo codice per trovare i tuoi regali è {code}. Vale dieci minuti. Non condividerlo.',

  'code.title': 'Il tuo codice',
  'code.once':
    '{minutes, plural, one {Funziona una volta, entro # minuto.} many {Funziona una volta, entro # minuti.} other {Funziona una volta, entro # minuti.}}',
  'code.secret': 'Non condividere questo codice',
  'cardCode.subject': 'Il tuo codice per la carta del tuo regalo',
  'cardCode.lead': 'Inseriscilo nella pagina del tuo regalo per vedere il numero della carta.',
  'cardCode.warning':
    'Chiunque abbia questo codice e il link del regalo può usare la tua carta. Bestow non lo chiede mai.',
  'cardCode.unasked':
    'Se non hai chiesto un codice, ignora questa email. Senza il codice nessuno può vedere il numero.',
  'cardCode.reason': 'Ricevi questa email perché qualcuno ha chiesto il numero di una carta che ti è stata regalata.',
  'finderCode.subject': 'Il tuo codice per trovare i tuoi regali',
  'finderCode.lead': 'Inseriscilo nella pagina che lo ha chiesto per vedere i tuoi regali.',
  'finderCode.warning': 'Chiunque abbia questo codice può aprire i tuoi regali. Bestow non lo chiede mai.',
  'finderCode.unasked':
    'Se non hai chiesto un codice, ignora questa email. Senza il codice nessuno può vedere i tuoi regali.',
  'finderCode.reason': 'Ricevi questa email perché qualcuno ha chiesto i regali inviati al tuo indirizzo.',
  'cardReopened.subject': 'La carta del tuo regalo può cambiare browser',
  'cardReopened.title': 'La tua carta può cambiare browser',
  'cardReopened.lead':
    'Chi ti ha inviato il regalo permette a un altro browser di mostrare il numero della carta, una sola volta, entro {hours} ore.',
  'cardReopened.notes': 'Se non l’hai chiesto tu',
  'cardReopened.tell': 'Avvisa subito chi ti ha inviato il regalo. Può bloccare la carta.',
  'cardReopened.after': 'Quando un altro browser prende la carta, quello di prima non mostra più il numero.',
  'cardReopened.reason': 'Ricevi questa email perché hai riscattato questo regalo.',
  'sms.cardReopened':
    'Chi ti ha inviato il regalo permette a un altro browser di mostrare la carta, una sola volta. Se non l’hai chiesto tu, avvisa subito chi l’ha inviato.',
};
