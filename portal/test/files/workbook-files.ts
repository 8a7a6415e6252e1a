import { type TestSheet, workbookOf, xlsxOf, zipOf } from '../harness/xlsx.ts';
import { type CorpusFile, csv } from './corpus-file.ts';

const HEADINGS = ['email', 'amount', 'category', 'name'];
const rowOf = (name: string): string[] => [`${name.toLowerCase()}@example.com`, '25', 'coffee', name];
const sheet = (rows: TestSheet['rows'], more: Partial<TestSheet> = {}): TestSheet => ({
  name: 'People',
  rows,
  ...more,
});

const merged = sheet(
  [
    ['email', 'amount', 'category'],
    ['a@example.com', 25, 'coffee'],
    ['b@example.com', '', 'coffee'],
    ['c@example.com', '', 'coffee'],
  ],
  { merges: ['B2:B4'] },
);

export const workbookFiles: CorpusFile[] = [
  {
    name: 'a hidden first sheet',
    bytes: workbookOf([
      sheet([HEADINGS, rowOf('Lastyear')], { name: '2025', isHidden: true }),
      sheet([HEADINGS, rowOf('New')], { name: '2026' }),
    ]),
    gifts: ['2 new@example.com 25.00 coffee “New”'],
  },
  {
    name: 'an empty first sheet',
    bytes: workbookOf([sheet([], { name: 'Notes' }), sheet([HEADINGS, rowOf('New')])]),
    gifts: ['2 new@example.com 25.00 coffee “New”'],
  },
  {
    name: 'the second of two sheets',
    bytes: workbookOf([sheet([HEADINGS, rowOf('One')], { name: 'A' }), sheet([HEADINGS, rowOf('Two')], { name: 'B' })]),
    answers: { sheet: 1 },
    gifts: ['2 two@example.com 25.00 coffee “Two”'],
  },
  {
    name: 'rows that a filter hides',
    bytes: workbookOf([sheet([HEADINGS, rowOf('A'), rowOf('B'), rowOf('C')], { hiddenRows: [3, 4] })]),
    asks: /hidden rows/,
  },
  {
    name: 'rows that a filter hides, left out',
    bytes: workbookOf([sheet([HEADINGS, rowOf('A'), rowOf('B'), rowOf('C')], { hiddenRows: [3, 4] })]),
    answers: { hidden: 'leave out' },
    gifts: ['2 a@example.com 25.00 coffee “A”'],
    leftOut: ['3 hidden in the sheet', '4 hidden in the sheet'],
  },
  {
    name: 'rows that a filter hides, taken',
    bytes: workbookOf([sheet([HEADINGS, rowOf('A'), rowOf('B')], { hiddenRows: [3] })]),
    answers: { hidden: 'take' },
    gifts: ['2 a@example.com 25.00 coffee “A”', '3 b@example.com 25.00 coffee “B”'],
  },
  {
    name: 'columns that a person hides',
    bytes: workbookOf([
      sheet(
        [
          ['email', 'amount', 'value', 'category', 'note', 'sender'],
          ['a@example.com', 500, 25, 'coffee', 'not for Ada', 'Old boss'],
        ],
        { hiddenColumns: [2, 5, 6] },
      ),
    ]),
    gifts: ['2 a@example.com 25.00 coffee'],
    unused: ['amount (hidden in the sheet)', 'note (hidden in the sheet)', 'sender (hidden in the sheet)'],
  },
  {
    name: 'a title above the headings of a sheet',
    bytes: xlsxOf([['Christmas gifts 2026'], [], HEADINGS, rowOf('A')]),
    gifts: ['4 a@example.com 25.00 coffee “A”'],
    leftOut: ['1 above the headings'],
  },
  {
    name: 'errors and formulas without results',
    bytes: xlsxOf([
      HEADINGS,
      ['a@example.com', 25, 'coffee', { error: '#N/A' }],
      ['b@example.com', { formula: '20+6' }, 'coffee', 'B'],
      rowOf('C'),
    ]),
    answers: { doubtful: 'leave out' },
    gifts: ['4 c@example.com 25.00 coffee “C”'],
    leftOut: ['2 has the error #N/A', '3 has a formula without its result'],
  },
  {
    name: 'an amount that is merged over three rows',
    bytes: workbookOf([merged]),
    asks: /merged cells/,
  },
  {
    name: 'a merged amount for each row',
    bytes: workbookOf([merged]),
    answers: { merged: 'each row' },
    gifts: ['2 a@example.com 25.00 coffee', '3 b@example.com 25.00 coffee', '4 c@example.com 25.00 coffee'],
  },
  {
    name: 'a merged amount for the first row only',
    bytes: workbookOf([merged]),
    answers: { merged: 'the first row' },
    gifts: ['2 a@example.com 25.00 coffee'],
    marks: ['3 amount', '4 amount'],
  },
  {
    name: 'a title and headings that are merged',
    bytes: workbookOf([
      sheet([['Gifts'], ['email', 'amount', 'category'], ['', '', ''], ['a@example.com', 25, 'coffee']], {
        merges: ['A1:C1', 'A2:A3', 'B2:B3', 'C2:C3'],
      }),
    ]),
    gifts: ['4 a@example.com 25.00 coffee'],
    leftOut: ['1 above the headings'],
  },
  {
    name: 'a row of a group, merged over its columns',
    bytes: workbookOf([sheet([HEADINGS, ['Sales'], rowOf('A')], { merges: ['A2:D2'] })]),
    answers: { doubtful: 'leave out' },
    gifts: ['3 a@example.com 25.00 coffee “A”'],
    leftOut: ['2 has a cell that is merged over columns'],
  },
  {
    name: 'a person who is struck through',
    bytes: workbookOf([
      sheet([HEADINGS, [{ struck: 'gone@example.com' }, { struck: '25' }, { struck: 'coffee' }], rowOf('A')]),
    ]),
    answers: { doubtful: 'leave out' },
    gifts: ['3 a@example.com 25.00 coffee “A”'],
    leftOut: ['2 has text that is struck through'],
  },
  {
    name: 'a checkbox where a name belongs',
    bytes: xlsxOf([HEADINGS, ['a@example.com', 25, 'coffee', true]]),
    marks: ['2 recipient_name'],
  },
  {
    name: 'numbers with formats',
    bytes: xlsxOf([
      ['phone', 'amount', 'category', 'reference'],
      [
        { value: 491701234567, format: '"+"0' },
        { value: 25, format: '$#,##0.00' },
        'coffee',
        { value: 123, format: '00000' },
      ],
      [{ value: 491701234567, format: '"+"0' }, { value: 25, format: '#,##0.00\\ [$€-407]' }, 'coffee', 1],
      [{ value: 491701234567, format: '"+"0' }, { value: 0.25, format: '0%' }, 'coffee', 1],
      [{ value: 491701234567, format: '"+"0' }, { value: 25.1, format: '0' }, 'coffee', 9007199254740991],
    ]),
    gifts: ['2 +491701234567 25.00 coffee ref 00123', '5 +491701234567 25.10 coffee ref 9007199254740991'],
    marks: ['3 amount', '4 amount'],
  },
  {
    name: 'a workbook with macros',
    bytes: workbookOf([sheet([HEADINGS, rowOf('A')])], { kind: 'macroEnabled.main' }),
    gifts: ['2 a@example.com 25.00 coffee “A”'],
  },
  {
    name: 'a binary workbook',
    bytes: zipOf({ 'xl/workbook.bin': 'x' }),
    refused: /binary Excel workbook \(\.xlsb\)\. Save it as XLSX/,
  },
  {
    name: 'an OpenDocument sheet',
    bytes: zipOf({ mimetype: 'application/vnd.oasis.opendocument.spreadsheet', 'content.xml': '<x/>' }),
    refused: /OpenDocument sheet \(\.ods\)\. Save it as XLSX/,
  },
  {
    name: 'an old workbook',
    bytes: Buffer.from('d0cf11e0a1b11ae10000', 'hex'),
    refused: /old Excel workbook \(\.xls\), or it has a password/,
  },
  {
    name: 'a web page with another ending',
    bytes: csv('<html><table><tr><td>email</td></tr></table></html>'),
    refused: /web page/,
  },
  { name: 'a picture', bytes: Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex'), refused: /not a table/ },
  { name: 'a workbook that is cut', bytes: xlsxOf([HEADINGS, rowOf('A')]).subarray(0, -30), refused: /cannot be read/ },
];
