import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openText } from 'bestow-readers/read-file.ts';
import { createDayReader, findOrderOfDays } from 'bestow-readers/written-day.ts';
import { columnOf } from '../../src/pages/contacts/contact-headings.ts';
import { openContacts, readRows } from '../../src/pages/contacts/read-contacts.ts';

/** Days of each year, and files of contacts. */

const read = createDayReader('day first');

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

test('other texts, and days that do not exist, are no days', () => {
  for (const text of ['', 'soon', '30.2.', '29.2.2023', '1985-13-10', '1985-12-10 09:00', '12', '1985', '46380'])
    assert.equal(read(text), undefined, text);
});

test('a file says the order of day and month, or a person has to', () => {
  assert.equal(findOrderOfDays(['13/2', '1/2']), 'day first');
  assert.equal(findOrderOfDays(['2/13', '1/2/1985']), 'month first');
  assert.equal(findOrderOfDays(['1/2']), undefined);
  assert.equal(findOrderOfDays(['1.2.', '1985-02-01']), 'day first');
});

const open = (text: string) => openContacts(openText(text, (heading) => columnOf(heading) !== undefined).sheets[0]);

test('a file of contacts is read by its headings, in other languages too', () => {
  const file = open(
    'Vorname;Nachname;E-Mail-Adresse;Abteilung;Personalnummer;Geburtsdatum;Eintritt;Sprache;Schuhgröße\nAda;Lovelace;ada@example.com;berlin, forschung;117;10.12.1985;1.9.2021;German;38\n',
  );
  assert.deepEqual(file.unused, ['Schuhgröße']);
  assert.deepEqual(readRows(file, file.dayOrder ?? 'month first'), [
    {
      line: 2,
      contact: {
        delivery: { method: 'email', email: 'ada@example.com' },
        name: 'Ada Lovelace',
        language: 'de',
        tags: ['berlin', 'forschung'],
        external_id: '117',
        birthday: '1985-12-10',
        work_anniversary: '2021-09-01',
      },
    },
  ]);
});

test('a row with a fault is named by its line, and none is lost', () => {
  const file = open(
    'email,phone,birthday,language\nada@example.com,,12-10,\n,,,\n,+1 202 555 0142,,\nADA@example.com,,,\ngrace@example.com,,soon,\nalan@example.com,,,Klingon\n,,12-11,\n',
  );
  const rows = readRows(file, 'day first');
  assert.deepEqual(
    rows.map(({ line, contact, fault }) => [line, contact?.delivery.method ?? fault?.column]),
    [
      [2, 'email'],
      [4, 'phone'],
      [5, null],
      [6, 'birthday'],
      [7, 'language'],
      [8, 'email'],
    ],
  );
});

test('a file without addresses or rows is refused with a sentence', () => {
  assert.throws(() => open('name,birthday\nAda,12-10\n'), /The first line must name the columns/);
  assert.throws(() => open('email,birthday\n'), /no rows/);
});
