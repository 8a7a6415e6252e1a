import { type CorpusFile, csv } from './corpus-file.ts';
import { encodeBytes, utf16 } from './encode.ts';

const GERMAN = 'E-Mail;Name;Betrag;Kategorie;Nachricht\r\nj@example.com;Jürgen Groß;25,00;coffee;Schöne Grüße für 25 €';
const GERMAN_GIFT = '2 j@example.com 25.00 coffee “Jürgen Groß” “Schöne Grüße für 25 €”';

export const letterFiles: CorpusFile[] = [
  {
    name: 'windows-1252',
    bytes: encodeBytes(GERMAN, 'windows-1252'),
    answers: { encoding: 'windows-1252' },
    gifts: [GERMAN_GIFT],
  },
  {
    name: 'Mac Roman with Mac lines',
    bytes: encodeBytes('email;name;amount;category\rj@example.com;Zoë Müller;25,00;coffee', 'macintosh'),
    answers: { encoding: 'macintosh' },
    gifts: ['2 j@example.com 25.00 coffee “Zoë Müller”'],
  },
  { name: 'UTF-8 with its mark', bytes: Buffer.from(`\ufeff${GERMAN}`), gifts: [GERMAN_GIFT] },
  { name: 'UTF-8 without its mark', bytes: Buffer.from(GERMAN), gifts: [GERMAN_GIFT] },
  { name: 'UTF-16, little end first', bytes: utf16(GERMAN.replaceAll(';', '\t'), 'LE'), gifts: [GERMAN_GIFT] },
  { name: 'UTF-16, big end first', bytes: utf16(GERMAN, 'BE'), gifts: [GERMAN_GIFT] },
  { name: 'UTF-16 without its mark', bytes: utf16(GERMAN, 'LE').subarray(2), gifts: [GERMAN_GIFT] },
  { name: 'UTF-16 that is cut', bytes: utf16(GERMAN, 'LE').subarray(0, -1), refused: /is damaged/ },
  {
    name: 'letters that were lost before',
    bytes: csv(
      'email,amount,category,name,message',
      'j@example.com,25,coffee,J\ufffdrgen,Hi',
      'a@example.com,25,coffee,Ada,Sch\ufffdn',
    ),
    marks: ['2 recipient_name', '3 message'],
  },
  {
    name: 'characters that cannot be seen',
    bytes: csv('email,amount,category,name', 'ada@example.com,25,coffee,A\0da', 'bo@example.com,25,coffee,B\u0085o'),
    marks: ['2 recipient_name', '3 recipient_name'],
  },
  {
    name: 'names of the world',
    bytes: csv(
      'email;name;amount;category',
      'a@example.com;👩‍👩‍👧‍👦 Familie;25;coffee',
      'b@example.com;محمد;25;coffee',
      'd@example.com;Nguyễn Thị Ánh;25;coffee',
    ),
    gifts: [
      '2 a@example.com 25.00 coffee “👩‍👩‍👧‍👦 Familie”',
      '3 b@example.com 25.00 coffee “محمد”',
      '4 d@example.com 25.00 coffee “Nguyễn Thị Ánh”',
    ],
  },
  {
    name: 'addresses as people copy them',
    bytes: csv(
      'email;phone;amount;category',
      ...[
        'ada@example.com\u200b',
        '\u200bbo@example.com',
        'cy@exam\u00adple.com',
        'mailto:di@example.com',
        'Eve <eve@example.com>',
        'fay@example.com.',
      ].map((email) => `${email};;25;coffee`),
      ...[
        '\u202a+12025550100\u202c',
        '+1 202\u2011555\u20110102',
        '+1\u00a0202\u00a0555\u00a00103',
        '\uff0b12025550105',
        '+1.202.555.0107',
        '4,91702E+11',
      ].map((phone) => `;${phone};25;coffee`),
    ),
    gifts: [
      ...['2 ada', '3 bo', '4 cy', '5 di', '6 eve', '7 fay'].map((name) => `${name}@example.com 25.00 coffee`),
      ...[
        '8 +12025550100',
        '9 +1 202-555-0102',
        '10 +1 202 555 0103',
        '11 +12025550105',
        '12 +1-202-555-0107',
        '13 4,91702E+11',
      ].map((phone) => `${phone} 25.00 coffee`),
    ],
  },
];
