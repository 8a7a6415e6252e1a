import assert from 'node:assert/strict';
import { test } from 'node:test';
import { unguardFormulas } from 'bestow-readers/formula-sign.ts';
import fc from 'fast-check';
import { anyForm, isTakenForUtf8, letters, writeTable } from './any-form.ts';
import { readContacts } from './read-contacts.ts';

const HEADINGS = ['email', 'name', 'tags', 'reference', 'birthday', 'start date', 'language'];

/** As a file may have it: a checkbox is asked about, and an apostrophe before a sign is taken away. */
const isPlain = (text: string) => unguardFormulas(text) === text && !/^(?:true|false)$/i.test(text);
const word = fc
  .string({ unit: letters, maxLength: 12 })
  .map((text) => text.replaceAll('\t', ' ').trim())
  .filter(isPlain);
const tag = fc.stringMatching(/^[a-z]{1,8}$/);
const day = fc.date({ min: new Date(Date.UTC(1950, 0)), max: new Date(Date.UTC(2020, 0)), noInvalidDate: true });
const isoOf = (date: Date) => date.toISOString().slice(0, 10);

const row = fc.record({
  address: fc.stringMatching(/^[a-z]{1,8}@[a-z]{1,8}\.example$/),
  name: word,
  tags: fc.uniqueArray(tag, { maxLength: 3 }),
  reference: fc.stringMatching(/^[A-Z]-[0-9]{1,6}$/),
  birthday: day.map(isoOf),
  start: day.map(isoOf),
  language: fc.constantFrom('en', 'de', 'fr', 'ja', ''),
});
const rows = fc.uniqueArray(row, {
  minLength: 1,
  maxLength: 6,
  comparator: (one, other) => one.address === other.address || one.reference === other.reference,
});

const german = (iso: string) => iso.split('-').toReversed().join('.');
const american = (iso: string) => `${iso.slice(5, 7)}/${iso.slice(8)}/${iso.slice(0, 4)}`;
const writings = { iso: (iso: string) => iso, german, american };

test('contacts in any encoding, with any separator and days in one order, are read as the same contacts', () =>
  fc.assert(
    fc.asyncProperty(rows, anyForm, fc.constantFrom(...Object.keys(writings)), async (table, form, name) => {
      const write = writings[name as keyof typeof writings];
      const cells = table.map((one) => [
        one.address,
        one.name,
        one.tags.join(' ; '),
        one.reference,
        write(one.birthday),
        write(one.start),
        one.language,
      ]);
      const bytes = writeTable([HEADINGS, ...cells], form);
      fc.pre(!isTakenForUtf8(bytes, form));
      const read = await readContacts(bytes, {
        dayOrder: 'month first',
        ...(form.encoding === 'windows-1252' && { encoding: form.encoding }),
      });
      assert.deepEqual([read.questions, read.marks, read.unused], [[], [], []]);
      assert.deepEqual(
        read.contacts,
        table.map((one, index) =>
          [
            index + 2,
            one.address,
            one.name && `“${one.name}”`,
            one.language,
            ...one.tags.map((text) => `#${text}`),
            `ref ${one.reference}`,
            `born ${one.birthday}`,
            `since ${one.start}`,
          ]
            .filter(Boolean)
            .join(' '),
        ),
      );
    }),
    { numRuns: 300 },
  ));
