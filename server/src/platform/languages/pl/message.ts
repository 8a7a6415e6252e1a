import type { MessageTexts } from '../catalogue.ts';

export const message: MessageTexts = {
  'mail.via': '{sender} przez Bestow',
  'mail.subject': '{sender} przesyła Ci prezent',
  'mail.reminderSubject': 'Twój prezent czeka (od: {sender})',
  'mail.stillWrapped': 'Jest jeszcze zapakowany.',
  'mail.worth': '{amount} na: {category}.',
  'mail.anytime': 'Otwórz go, kiedy tylko zechcesz.',
  'mail.fromThrough': 'od: {sender}, wysłany przez: {organization}',
  'mail.category': 'na: {category}',
  'mail.open': 'Otwórz prezent',
  'mail.copyLink': 'Jeśli przycisk nie działa, skopiuj ten adres do przeglądarki:',
  'mail.reminder': 'To jest przypomnienie.',
  'mail.stop': 'Wyłącz przypomnienia',
  'mail.stopHere': 'To jest przypomnienie. Wyłącz przypomnienia tutaj:',
  'real.title': 'Czy to prawdziwe?',
  'real.yes': 'Tak. Prezent przesyła {sender} przez Bestow i jest on już opłacony.',
  'real.yesFor': 'Tak. Prezent przesyła {organization} przez Bestow w imieniu: {sender}. Jest on już opłacony.',
  'real.free': 'Otwarcie jest bezpłatne. Nikt nie poprosi Cię o hasło, płatność ani numer karty.',
  'real.button':
    'Przycisk prowadzi do {host}: sprawdź, czy przeglądarka pokazuje tę nazwę. Jeśli nie spodziewasz się prezentu, przed otwarciem skontaktuj się z nadawcą ({sender}) w sposób, któremu ufasz.',
  'real.link':
    'Link prowadzi do {host}: sprawdź, czy przeglądarka pokazuje tę nazwę. Jeśli nie spodziewasz się prezentu, przed otwarciem skontaktuj się z nadawcą ({sender}) w sposób, któremu ufasz.',
  'real.forward': 'Każdy, kto ma tę wiadomość, może otworzyć prezent, więc nie przekazuj jej dalej.',

  'text.hello': 'Cześć!',
  'text.dear': 'Cześć, {recipient}!',
  'text.waiting': 'Twój prezent czeka.',
  'text.sent': '{sender} przesyła Ci prezent.',
  'text.sentWorth': '{sender} przesyła Ci prezent: {amount} na: {category}.',
  'text.through': '{sender} przesyła Ci prezent przez: {organization}.',
  'text.throughWorth': '{sender} przesyła Ci prezent przez: {organization}. Oto on: {amount} na: {category}.',
  'text.open': 'Otwórz go tutaj, kiedy tylko zechcesz:',
  'text.openBy': 'Otwórz go tutaj i odbierz do {day}:',

  'sms.open': '{name} przesyła Ci prezent. Otwórz: {link}',
  'sms.claim': '{name} przesyła Ci prezent. Odbierz do {day}: {link}',
  'sms.noteOpen': '{name} przesyła Ci prezent z wiadomością. Otwórz: {link}',
  'sms.noteClaim': '{name} przesyła Ci prezent z wiadomością. Odbierz do {day}: {link}',
  'sms.stop': 'Wyłącz przypomnienia: {link}',
  'sms.short': '{name}: prezent dla Ciebie {link}',
  'sms.shortUntil': '{name}: prezent dla Ciebie do {day} {link}',
  'sms.shortNote': '{name}: prezent z wiadomością {link}',
  'sms.shortNoteUntil': '{name}: prezent z wiadomością do {day} {link}',
  'sms.cardCode': 'Twój kod do karty podarunkowej to {code}. Działa dziesięć minut. Nikomu go nie podawaj.',
  'sms.finderCode': 'Twój kod do prezentów to {code}. Działa dziesięć minut. Nikomu go nie podawaj.',

  'code.title': 'Twój kod',
  'code.once':
    '{minutes, plural, one {Działa raz, w ciągu # minuty.} few {Działa raz, w ciągu # minut.} many {Działa raz, w ciągu # minut.} other {Działa raz, w ciągu # minuty.}}',
  'code.secret': 'Nikomu nie podawaj tego kodu',
  'cardCode.subject': 'Twój kod do karty z prezentu',
  'cardCode.lead': 'Podaj go na stronie prezentu, aby zobaczyć numer karty.',
  'cardCode.warning':
    'Każdy, kto ma ten kod i link do prezentu, może użyć Twojej karty. Bestow nigdy o niego nie prosi.',
  'cardCode.unasked':
    'Jeśli ta prośba o kod nie pochodzi od Ciebie, zignoruj tę wiadomość. Bez kodu nikt nie zobaczy numeru.',
  'cardCode.reason': 'Otrzymujesz tę wiadomość, bo ktoś poprosił o numer karty, która była prezentem dla Ciebie.',
  'finderCode.subject': 'Twój kod do prezentów',
  'finderCode.lead': 'Podaj go na stronie, która o niego prosi, aby zobaczyć swoje prezenty.',
  'finderCode.warning': 'Każdy, kto ma ten kod, może otworzyć Twoje prezenty. Bestow nigdy o niego nie prosi.',
  'finderCode.unasked':
    'Jeśli ta prośba o kod nie pochodzi od Ciebie, zignoruj tę wiadomość. Bez kodu nikt nie zobaczy Twoich prezentów.',
  'finderCode.reason': 'Otrzymujesz tę wiadomość, bo ktoś poprosił o prezenty wysłane na Twój adres.',
  'cardReopened.subject': 'Kartę z Twojego prezentu można przenieść do innej przeglądarki',
  'cardReopened.title': 'Twoją kartę można przenieść',
  'cardReopened.lead':
    'Nadawca prezentu pozwala, aby inna przeglądarka pokazała numer karty, jeden raz w ciągu {hours} godzin.',
  'cardReopened.notes': 'Jeśli to nie była Twoja prośba',
  'cardReopened.tell': 'Od razu powiadom nadawcę. Może on wstrzymać kartę.',
  'cardReopened.after': 'Gdy inna przeglądarka przejmie kartę, poprzednia nie pokaże już numeru.',
  'cardReopened.reason': 'Ta wiadomość przyszła, ponieważ odebrano u Ciebie ten prezent.',
  'sms.cardReopened':
    'Nadawca prezentu pozwala, aby inna przeglądarka pokazała kartę, jeden raz. Jeśli to nie była Twoja prośba, od razu powiadom nadawcę.',
};
