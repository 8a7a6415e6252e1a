import { type TestSheet, workbookOf, zipOf } from '../harness/xlsx.ts';
import type { CorpusFile } from './corpus-file.ts';

const rows: TestSheet['rows'] = [
  ['email', 'amount', 'category', 'name'],
  ['a@example.com', '25', 'coffee', 'A'],
];
const workbook = (lastRows: string, more: Partial<TestSheet> = {}): Buffer =>
  workbookOf([{ name: 'People', rows, lastRows, ...more }], { isDeflated: true });
const gifts = ['2 a@example.com 25.00 coffee “A”'];
const row = (number: number, cells: string) => `<row r="${number}">${cells}</row>`;
const rowsTo = (last: number, cells: (number: number) => string) =>
  Array.from({ length: last - 2 }, (_, index) => row(index + 3, cells(index + 3))).join('');

/** Workbooks that span far more than they say. */
export const largeFiles: CorpusFile[] = [
  {
    name: 'an empty formatted cell in the last row',
    bytes: workbook(row(1_048_576, '<c r="F1048576" s="0"/>')),
    gifts,
  },
  {
    name: 'an empty formatted cell in the last place of a sheet',
    bytes: workbook(row(1_048_576, '<c r="XFD1048576" s="0"></c>')),
    gifts,
  },
  {
    name: 'formatted rows without content',
    bytes: workbook(rowsTo(150_000, (number) => `<c r="A${number}" s="0"/><c r="B${number}" s="0"><v></v></c>`)),
    gifts,
  },
  {
    name: 'a cell far to the right in each of many rows',
    bytes: workbook(rowsTo(20_000, (number) => `<c r="XFD${number}"><v>1</v></c>`)),
    refused: /something in column XFD; at most 500 columns are read\. Copy the table to a new workbook/,
  },
  {
    name: 'a cell far below',
    bytes: workbook(row(100_001, '<c r="A100001"><v>1</v></c>')),
    refused: /something in row 100001; at most 100,000 rows are read\./,
  },
  {
    name: 'cells without places, more than are read',
    bytes: workbook(`<row>${'<c><v>1</v></c>'.repeat(501)}</row>`),
    refused: /at most 500 columns/,
  },
  {
    name: 'few cells that span many',
    bytes: workbook(row(90_000, '<c r="CV90000"><v>1</v></c>')),
    refused: /its sheets span more than 2,000,000 cells/,
  },
  {
    name: 'columns that are named again and again',
    bytes: workbook('', { hiddenColumns: Array.from({ length: 100_001 }, () => 9) }),
    refused: /a sheet has too many columns/,
  },
  {
    name: 'what unpacks to over 100 MB',
    bytes: zipOf({ 'xl/sharedStrings.xml': ' '.repeat(101_000_000) }, { isDeflated: true }),
    refused: /more than 100 MB\. Copy the table to a new workbook, and try again\./,
  },
  {
    name: 'more content than its directory says',
    bytes: saidSmaller(workbook('')),
    refused: /a workbook that cannot be read/,
  },
  {
    name: 'a number format of 1,500 openings',
    bytes: workbook('', {
      rows: [
        ['email', 'amount', 'category'],
        ['a@example.com', { value: 25, format: '[$'.repeat(1_500) }, 'coffee'],
        ['b@example.com', { value: 26, format: '[$'.repeat(760) }, 'coffee'],
      ],
    }),
    gifts: ['2 a@example.com 25.00 coffee', '3 b@example.com 26.00 coffee'],
  },
];

/** The last entry of the directory says one byte. */
function saidSmaller(bytes: Buffer): Buffer {
  bytes.writeUInt32LE(1, bytes.lastIndexOf('PK\x01\x02') + 24);
  return bytes;
}
