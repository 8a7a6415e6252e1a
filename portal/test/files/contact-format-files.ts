import { type SheetCell, workbookOf, xlsxOf } from '../harness/xlsx.ts';
import type { ContactFile } from './contact-file.ts';
import { csv } from './corpus-file.ts';
import { encodeBytes } from './encode.ts';

/** 10 December 2026: what Excel stores in that year if a person types the day without the year. */
const DAY = 46_366;
const birthdays = (...formats: (string | number)[]): Uint8Array =>
  xlsxOf([
    ['email', 'birthday'],
    ...formats.map((format, n): SheetCell[] => [`a${n}@example.com`, { value: DAY, format }]),
  ]);
const days = (...texts: string[]) => csv('email;birthday', ...texts.map((text, n) => `a${n}@example.com;${text}`));

/** Formats of days, languages, and what sheets do. */
export const contactFormatFiles: ContactFile[] = [
  {
    name: 'days that Excel shows without their year',
    bytes: birthdays(16, 'd. mmmm', 'dd.mm.', 'mm/dd', 'd\\-mmm;@', '[$-409]d\\-mmm;@', 'd" de "mmmm'),
    contacts: Array.from({ length: 7 }, (_, n) => `${n + 2} a${n}@example.com born 12-10`),
  },
  {
    name: 'days that Excel shows with their year',
    bytes: birthdays(14, 15, 22, 'yyyy\\-mm\\-dd;@', 'dd/mm/yyyy', '[$-407]d. mmmm yyyy', 'dddd, mmmm dd, yyyy'),
    contacts: Array.from({ length: 7 }, (_, n) => `${n + 2} a${n}@example.com born 2026-12-10`),
  },
  {
    name: 'months without their day',
    bytes: birthdays(17, 'mmmm yyyy'),
    answers: { doubtful: 'take' },
    marks: ['2 birthday', '3 birthday'],
  },
  {
    name: 'months without their day, not said yet',
    bytes: birthdays(17),
    asks: /doubtful lines/,
  },
  {
    name: 'a formula of an empty cell, shown as a day',
    bytes: xlsxOf([
      ['email', 'birthday'],
      ['a@example.com', { value: 0, format: 14 }],
    ]),
    contacts: ['2 a@example.com'],
  },
  {
    name: 'a tag that is merged over three rows',
    bytes: workbookOf([
      {
        name: 'Team',
        rows: [
          ['Department', 'Email'],
          ['Sales', 'ada@example.com'],
          ['', 'bo@example.com'],
          ['', 'cy@example.com'],
        ],
        merges: ['A2:A4'],
      },
    ]),
    answers: { merged: 'each row' },
    contacts: ['2 ada@example.com #Sales', '3 bo@example.com #Sales', '4 cy@example.com #Sales'],
  },
  {
    name: 'a person who is struck through',
    bytes: xlsxOf([
      ['email', 'name'],
      [{ struck: 'gone@example.com' }, { struck: 'Gone' }],
      ['ada@example.com', 'Ada'],
    ]),
    answers: { doubtful: 'leave out' },
    contacts: ['3 ada@example.com “Ada”'],
    leftOut: ['2 has text that is struck through'],
  },
  {
    name: 'a comma in a name that is not quoted',
    bytes: csv(
      'email,birthday,name,team',
      'ada@example.com,1985-12-10,Lovelace, Ada,berlin',
      'bo@example.com,,Bo,berlin',
    ),
    asks: /doubtful lines/,
  },
  {
    name: 'the second sheet',
    bytes: workbookOf([
      { name: 'Notes', rows: [['Who is in the team?']] },
      {
        name: 'Team',
        rows: [
          ['Email', 'Name'],
          ['ada@example.com', 'Ada'],
        ],
      },
    ]),
    answers: { sheet: 1 },
    contacts: ['2 ada@example.com “Ada”'],
  },
  {
    name: 'letters of Windows',
    bytes: encodeBytes('E-Mail;Name\r\nada@example.com;Jürgen Groß\r\n', 'windows-1252'),
    answers: { encoding: 'windows-1252' },
    contacts: ['2 ada@example.com “Jürgen Groß”'],
  },
  {
    name: 'months in words',
    bytes: days('8-Jun', '14 Dec', '16-Dec-85', '10. Dezember 1985', '10 décembre', '10 de diciembre de 1985'),
    contacts: [
      '2 a0@example.com born 06-08',
      '3 a1@example.com born 12-14',
      '4 a2@example.com born 1985-12-16',
      '5 a3@example.com born 1985-12-10',
      '6 a4@example.com born 12-10',
      '7 a5@example.com born 1985-12-10',
    ],
  },
  {
    name: 'days of programs, and days that stand for none',
    bytes: days('19851213', '0/0/00', '00/00/0000', '0000-00-00', '0000-11-24', '1604-12-10', '1900-12-17', '--12-11'),
    contacts: [
      '2 a0@example.com born 1985-12-13',
      '3 a1@example.com',
      '4 a2@example.com',
      '5 a3@example.com',
      '6 a4@example.com born 11-24',
      '7 a5@example.com born 12-10',
      '8 a6@example.com born 12-17',
      '9 a7@example.com born 12-11',
    ],
  },
  {
    name: 'years of two digits, in the past for birthdays and up to 20 years ahead for first days',
    bytes: csv('email;birthday;hire date', 'a@example.com;10.12.85;1.2.35', 'b@example.com;10.12.35;1.2.98'),
    contacts: ['2 a@example.com born 1985-12-10 since 2035-02-01', '3 b@example.com born 1935-12-10 since 1998-02-01'],
  },
  {
    name: 'days that the server refuses',
    bytes: days('1850-12-10', '31.02.1985', '2150-01-01'),
    marks: ['2 birthday', '3 birthday', '4 birthday'],
  },
  {
    name: 'days of which no one says the order',
    bytes: csv('email,birthday', 'a@example.com,01/02/1985'),
    asks: /which number of a date is the day/,
  },
  {
    name: 'languages by tags and names',
    bytes: csv(
      'email,locale',
      ...['en-US', 'de_DE', 'Deutsch', 'German', 'allemand', 'pt', 'Português (Brasil)', 'ja_JP.UTF-8', 'nld'].map(
        (text, n) => `a${n}@example.com,${text}`,
      ),
    ),
    contacts: ['en', 'de', 'de', 'de', 'de', 'pt-BR', 'pt-BR', 'ja', 'nl'].map(
      (language, n) => `${n + 2} a${n}@example.com ${language}`,
    ),
  },
  {
    name: 'an address and a reference that come again',
    bytes: csv('email,reference', 'a@example.com,1', 'A@example.com,2', 'b@example.com,1'),
    contacts: ['2 a@example.com ref 1'],
    marks: ['3 email', '4 external_id'],
  },
  {
    name: 'a checkbox, lost letters and a sign that cannot be seen',
    bytes: csv('email,name', 'a@example.com,TRUE', 'b@example.com,J\ufffdrgen', 'c@example.com,\u0007Ada'),
    marks: ['2 name', '3 name', '4 name'],
  },
];
