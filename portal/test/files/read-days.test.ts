import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type OpenedFile, openFile } from 'bestow-readers/read-file.ts';
import { createDayReader, findOrderOfDays } from 'bestow-readers/written-day.ts';
import { readTypedDay } from '../../src/pages/contacts/typed-day.ts';
import { xlsxOf } from '../harness/xlsx.ts';

/** Days of each year. */

const read = createDayReader('day first', new Date(Date.UTC(2026, 10, 29)));

const linesOf = (opened: OpenedFile) => ('sheets' in opened ? opened.sheets[0].lines : []);

test('days are read with and without their year', () => {
  const days = {
    '1985-12-10': '1985-12-10',
    '10.12.1985': '1985-12-10',
    '10/12/1985': '1985-12-10',
    '1985-12-10 00:00': '1985-12-10',
    '12-10': '12-10',
    '--12-10': '12-10',
    '10.12.': '12-10',
    '1. 2.': '02-01',
    '29.2.': '02-29',
    '29.02.2024': '2024-02-29',
    '10/12': '12-10',
  };
  for (const [text, day] of Object.entries(days)) assert.equal(read(text), day, text);
  assert.equal(createDayReader('month first')('10/12'), '10-12');
});

test('days with a month in words are read in ten languages', () => {
  const days = {
    '8-Jun': '06-08',
    '14 Dec': '12-14',
    'Dec 14': '12-14',
    'December 10th, 1985': '1985-12-10',
    '10th of December': '12-10',
    '10. Dezember 1985': '1985-12-10',
    '1er janvier': '01-01',
    '10 déc. 1985': '1985-12-10',
    '10 de diciembre de 1985': '1985-12-10',
    '10 gennaio': '01-10',
    '10 de out. de 1985': '1985-10-10',
    '10 mrt 1985': '1985-03-10',
    '10 grudnia 1985': '1985-12-10',
    '10 grudzień': '12-10',
    '1985年12月10日': '1985-12-10',
    '12月10日': '12-10',
    '10 ديسمبر': '12-10',
  };
  for (const [text, day] of Object.entries(days)) assert.equal(read(text), day, text);
});

test('days of programs are read, with years of two digits in the past', () => {
  const days = {
    '19851213': '1985-12-13',
    '1985-12-10T00:00:00.000Z': '1985-12-10',
    '10/12/1985 12:00:00 AM': '1985-12-10',
    '16-Dec-85': '1985-12-16',
    '10.12.85': '1985-12-10',
    '10/12/26': '1926-12-10',
    '28/11/26': '2026-11-28',
  };
  for (const [text, day] of Object.entries(days)) assert.equal(read(text), day, text);
});

test('a placeholder of a year or a day is read as no year or no day', () => {
  const days = { '0000-11-24': '11-24', '1604-12-10': '12-10', '1900-12-17': '12-17', '--12-11': '12-11' };
  for (const [text, day] of Object.entries(days)) assert.equal(read(text), day, text);
  for (const text of ['0/0/00', '00/00/0000', '00.00.0000', '0000-00-00', '1900-01-00'])
    assert.equal(read(text), null, text);
  assert.equal(findOrderOfDays(['0/0/00', '13/2/85']), 'day first');
});

test('a workbook’s day is read as its cell shows it', async () => {
  const serial = 46_366; // 10 December 2026, as Excel stores `10-Dec` in that year.
  const shown = {
    16: '12-10',
    'd. mmmm': '12-10',
    'dd.mm.': '12-10',
    'mm/dd': '12-10',
    'd" de "mmmm': '12-10',
    14: '2026-12-10',
    15: '2026-12-10',
    'yyyy\\-mm\\-dd': '2026-12-10',
    'dd/mm/yyyy;@': '2026-12-10',
    '[$-407]d. mmmm yyyy': '2026-12-10',
    'yyyy-mm-dd hh:mm': '2026-12-10 00:00',
    'hh:mm': '00:00',
  };
  for (const [format, text] of Object.entries(shown)) {
    const cell = { value: serial, format: Number(format) || format };
    const [line] = linesOf(await openFile(xlsxOf([[cell, 'x']]), () => false));
    assert.deepEqual([line?.cells[0], line?.doubt], [text, undefined], format);
  }
  const [empty] = linesOf(await openFile(xlsxOf([[{ value: 0, format: 14 }, 'x']]), () => false));
  assert.equal(read(empty?.cells[0] ?? ''), null);
});

test('a month without its day is a doubt', async () => {
  for (const format of [17, 'mmmm yyyy', 'yyyy', 'dddd']) {
    const [line] = linesOf(await openFile(xlsxOf([[{ value: 46_366, format }, 'x']]), () => false));
    assert.equal(line?.doubt, 'a date that the sheet shows only in part', String(format));
  }
});

test('other texts, and days that do not exist, are no days', () => {
  for (const text of [
    '',
    'soon',
    '30.2.',
    '29.2.2023',
    '1985-13-10',
    '1985-12-10 09:00',
    '12',
    '1985',
    '46380',
    'Dec',
    'Dec 1985',
    'Dec-14',
    '1850-12-10',
  ])
    assert.equal(read(text), undefined, text);
});

test('a file says the order of day and month, or a person has to', () => {
  assert.equal(findOrderOfDays(['13/2', '1/2']), 'day first');
  assert.equal(findOrderOfDays(['2/13', '1/2/1985']), 'month first');
  assert.equal(findOrderOfDays(['1/2']), undefined);
  assert.equal(findOrderOfDays(['1.2.', '1985-02-01']), 'day first');
});

test('a day that is typed alone is never guessed', () => {
  const typed = (text: string) => readTypedDay(text, new Date(Date.UTC(2026, 10, 29)));
  const days: Record<string, string | null> = {
    '3 Apr 1985': '1985-04-03',
    '1985-04-03': '1985-04-03',
    '03.04.1985': '1985-04-03',
    '13/04/1985': '1985-04-13',
    '04/13/1985': '1985-04-13',
    '04/04/1985': '1985-04-04',
    '04-03': '04-03',
    '': null,
    '0/0/00': null,
  };
  for (const [text, day] of Object.entries(days)) assert.deepEqual(typed(text), { day }, text);
  for (const text of ['03/04/1985', '3-4-1985', '3/4/85', '3/4'])
    assert.deepEqual(typed(text), { fault: 'Write the month as a word, such as 3 Apr 1985.' }, text);
  for (const text of ['31 Feb', 'soon', '31/31/1985'])
    assert.deepEqual(typed(text), { fault: 'Enter a day such as 3 Apr 1985, or 3 Apr without the year.' }, text);
});
