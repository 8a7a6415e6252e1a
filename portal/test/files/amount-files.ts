import { type CorpusFile, csv } from './corpus-file.ts';

const amounts = (...texts: string[]) =>
  csv('email;amount;category', ...texts.map((text, index) => `a${index}@example.com;${text};coffee`));

export const amountFiles: CorpusFile[] = [
  {
    name: 'amounts that mean one thing',
    bytes: amounts(
      '25',
      '25.00',
      '25,00',
      '25.5',
      '$25',
      '$ 25.00',
      '25 $',
      'USD 25',
      '25.00 usd',
      'US$25',
      '$25 USD',
      ' 25 ',
    ),
    gifts: ['25.00', '25.00', '25.00', '25.50', ...Array.from({ length: 8 }, () => '25.00')].map(
      (amount, index) => `${index + 2} a${index}@example.com ${amount} coffee`,
    ),
  },
  {
    name: 'amounts that could mean another',
    bytes: amounts(
      ...[
        '.50',
        '$.50',
        '-25.00',
        '(30.00)',
        '35.00-',
        '−25',
        '€25',
        'JPY 25',
        '25%',
        '25k',
        '25?',
        '~25',
        '25.',
        '+25',
      ],
      ...[
        '2 5',
        '25.00 or 30',
        '1 25',
        '2.5e1',
        '２５',
        '25.000',
        '0.250',
        '25.-',
        'twenty',
        '$$25',
        'A$25',
        '',
        '9.99',
        '500.01',
      ],
    ),
    marks: Array.from({ length: 28 }, (_, index) => `${index + 2} amount`),
    answers: { decimal: '.' },
  },
  {
    name: 'the service’s own currency',
    bytes: amounts('€25', '25,00 €', '25 EUR', '$25', 'USD 25'),
    answers: { currency: 'EUR' },
    gifts: ['2 a0@example.com 25.00 coffee', '3 a1@example.com 25.00 coffee', '4 a2@example.com 25.00 coffee'],
    marks: ['5 amount', '6 amount'],
  },
  {
    name: 'separators of thousands are beyond the largest gift',
    bytes: amounts('1,234.50', '1.234,50', '1 234,50', '25.00'),
    gifts: ['5 a3@example.com 25.00 coffee'],
    marks: ['2 amount', '3 amount', '4 amount'],
  },
  { name: 'amounts that leave the decimal sign open', bytes: amounts('1.250', '25'), asks: /before the cents/ },
  {
    name: 'amounts of which one says the decimal sign',
    bytes: amounts('1.250', '25,50'),
    gifts: ['3 a1@example.com 25.50 coffee'],
    marks: ['2 amount'],
  },
];
