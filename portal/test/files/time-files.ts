import { type TestSheet, workbookOf, xlsxOf } from '../harness/xlsx.ts';
import { type CorpusFile, csv } from './corpus-file.ts';

const times = (...texts: string[]) =>
  csv('email,amount,category,send at', ...texts.map((text, index) => `a${index}@example.com,25,coffee,"${text}"`));
const sheet = (rows: TestSheet['rows'], more: Partial<TestSheet> = {}): TestSheet => ({
  name: 'People',
  rows,
  ...more,
});
const everyFiveMinutes = Array.from({ length: 288 }, (_, n) => n * 5);
const clock = (minutes: number) =>
  `${String(Math.floor(minutes / 60)).padStart(2, '0')}:${String(minutes % 60).padStart(2, '0')}`;
const DAY_OF_2026_12_24 = 46_380;
const TIME_FORMAT = 'yyyy\\-mm\\-dd\\ hh:mm';

export const timeFiles: CorpusFile[] = [
  {
    name: 'days and times that mean one thing',
    bytes: times(
      '2026-12-24 09:00',
      '2026-12-24T09:00',
      '2026/12/24 9:00',
      '24.12.2026 09:00',
      '24. 12. 2026, 9:00',
      '24/12/2026 09:00',
      '24-12-2026 9:00 AM',
      '2026-12-24 09:00:00.000',
      '2026-12-24T09:00:00+01:00',
    ),
    gifts: Array.from({ length: 9 }, (_, n) => `${n + 2} a${n}@example.com 25.00 coffee @2026-12-24T08:00:00.000Z`),
  },
  {
    name: 'American days',
    bytes: times('12/24/2026 9:00 PM', '12/05/2026 9:00'),
    gifts: [
      '2 a0@example.com 25.00 coffee @2026-12-24T20:00:00.000Z',
      '3 a1@example.com 25.00 coffee @2026-12-05T08:00:00.000Z',
    ],
  },
  {
    name: 'days of which no one says the order',
    bytes: times('05/12/2026 9:00'),
    asks: /which number of a date is the day/,
  },
  {
    name: 'days in both orders',
    bytes: times('24/12/2026 9:00', '12/24/2026 9:00'),
    asks: /which number of a date is the day/,
  },
  {
    name: 'days without a time',
    bytes: times('2026-12-24', '24.12.2026'),
    answers: { timeOfDay: '08:30' },
    gifts: [
      '2 a0@example.com 25.00 coffee @2026-12-24T07:30:00.000Z',
      '3 a1@example.com 25.00 coffee @2026-12-24T07:30:00.000Z',
    ],
  },
  {
    name: 'times that do not exist',
    bytes: times(
      '2027-02-31 08:00',
      '2027-03-28 02:30',
      '31.11.2026',
      '2026-12-24 25:00',
      '13:00',
      '46380.375',
      '2026-12-24 09:00 Europe/Berlin',
      '2026-12-24 13:00 PM',
      'tomorrow',
    ),
    marks: Array.from({ length: 9 }, (_, n) => `${n + 2} send_at`),
  },
  {
    name: 'every five minutes of a day, as Excel counts them',
    bytes: xlsxOf([
      ['email', 'amount', 'category', 'send at'],
      ...everyFiveMinutes.map((minutes, n) => [
        `a${n}@example.com`,
        25,
        'coffee',
        { value: DAY_OF_2026_12_24 + minutes / 1440, format: TIME_FORMAT },
      ]),
    ]),
    gifts: everyFiveMinutes.map(
      (minutes, n) =>
        `${n + 2} a${n}@example.com 25.00 coffee @${new Date(`2026-12-24T${clock(minutes)}:00+01:00`).toISOString()}`,
    ),
  },
  {
    name: 'a computed midnight, and a day alone',
    bytes: xlsxOf([
      ['email', 'amount', 'category', 'send at'],
      ['a@example.com', 25, 'coffee', { value: 46_380.9999999998, format: TIME_FORMAT }],
      ['b@example.com', 25, 'coffee', { value: 46_381, format: 'm/d/yyyy' }],
    ]),
    gifts: [
      '2 a@example.com 25.00 coffee @2026-12-24T23:00:00.000Z',
      '3 b@example.com 25.00 coffee @2026-12-25T08:00:00.000Z',
    ],
  },
  {
    name: 'a workbook that counts from 1904',
    bytes: workbookOf(
      [
        sheet([
          ['email', 'amount', 'category', 'send at'],
          ['a@example.com', 25, 'coffee', { value: 44_918.375, format: TIME_FORMAT }],
        ]),
      ],
      { is1904: true },
    ),
    gifts: ['2 a@example.com 25.00 coffee @2026-12-24T08:00:00.000Z'],
  },
];
