import assert from 'node:assert/strict';
import { test } from 'node:test';
import { unguardFormulas } from 'bestow-readers/formula-sign.ts';
import fc from 'fast-check';
import { writeXlsx } from 'hucre/xlsx';
import { anyForm, type Form, isTakenForUtf8, letters, writeTable } from './any-form.ts';
import { type GivenAnswers, type ReadFile, readGifts } from './read-gifts.ts';

const name = fc.string({ unit: letters, maxLength: 12 }).map((text) => text.trim());
/** An apostrophe before a formula's sign is taken away. */
const isPlain = (text: string) => unguardFormulas(text) === text;
const message = fc
  .array(
    fc.string({ unit: letters, maxLength: 14 }).map((text) => text.replace(/[,;|\t]/g, '')),
    { maxLength: 3 },
  )
  .map((lines) => lines.join('\n').trim())
  .filter(isPlain);
const row = fc.record({
  address: fc.stringMatching(/^[a-z]{1,8}@[a-z]{1,8}\.example$/),
  cents: fc.integer({ min: 1_000, max: 50_000 }),
  category: fc.constantFrom('coffee', 'books'),
  name: name.filter((text) => isPlain(text) && !/^(?:true|false)$/i.test(text)),
  message,
});
const rows = fc.array(row, { minLength: 1, maxLength: 6 });
type Row = ReturnType<typeof row.generate>['value'];

const HEADINGS = ['email', 'amount', 'category', 'name', 'message'];
const cellsOf = ({ address, cents, category, ...texts }: Row) => [
  address,
  (cents / 100).toFixed(2),
  category,
  texts.name,
  texts.message,
];

const giftsOf = (table: readonly Row[]) =>
  table.map(({ address, cents, category, name: recipient, message: words }) => [
    address,
    cents,
    category,
    recipient,
    words,
  ]);
const readOf = ({ gifts }: ReadFile) =>
  gifts.map(({ gift: { delivery, amount, category, personalization } }) => [
    delivery.method === 'email' ? delivery.email : delivery.method,
    amount,
    category,
    personalization?.recipient_name ?? '',
    personalization?.message ?? '',
  ]);

const bytesOf = (table: readonly Row[], form: Form) => writeTable([HEADINGS, ...table.map(cellsOf)], form);

const answersOf = ({ encoding }: Form): GivenAnswers => (encoding === 'windows-1252' ? { encoding } : {});

test('a table of gifts in any encoding, with any separator, is read as the same gifts', () =>
  fc.assert(
    fc.asyncProperty(rows, anyForm, async (table, written) => {
      const bytes = bytesOf(table, written);
      fc.pre(!isTakenForUtf8(bytes, written));
      const read = await readGifts(bytes, answersOf(written));
      assert.deepEqual([read.questions, read.marks, read.unused], [[], [], []]);
      assert.deepEqual(readOf(read), giftsOf(table));
    }),
    { numRuns: 500 },
  ));

test('a table of gifts in a workbook is read as the same gifts', () =>
  fc.assert(
    fc.asyncProperty(rows, async (table) => {
      const lines = table.map((one) => [one.address, one.cents / 100, ...cellsOf(one).slice(2)]);
      const bytes = await writeXlsx({ sheets: [{ name: 'Gifts', rows: [HEADINGS, ...lines] }] });
      const read = await readGifts(bytes);
      assert.deepEqual([read.questions, read.marks, read.unused], [[], [], []]);
      assert.deepEqual(readOf(read), giftsOf(table));
    }),
    { numRuns: 100 },
  ));

/**
 * A byte within a cell makes a file that says another thing in this cell, and only there; the review shows it. Quotation
 * marks say nothing by themselves: without one of them, no gift changes without a mark.
 */
async function assertSameOrMarked(bytes: Buffer, answers: GivenAnswers, whole: unknown[][], most = 1): Promise<void> {
  const read = await readGifts(bytes, answers).catch((error: Error) => {
    assert.equal(error.name, 'TableError', String(error.stack));
    return undefined;
  });
  if (read === undefined || read.questions.length > 0 || read.marks.length > 0 || read.unused.length > 0) return;
  // Letters that have to be chosen are a mark, if the file was Unicode.
  if (read.letters.length > 0 && answers.encoding === undefined) return;
  const gifts = readOf(read);
  assert.equal(gifts.length, whole.length);
  const changed = gifts.flatMap((gift, at) => gift.filter((value, field) => value !== whole[at]?.[field]));
  assert.ok(changed.length <= most, `changed: ${JSON.stringify(gifts)} instead of ${JSON.stringify(whole)}`);
}

const QUOTE = 0x22;

const changes = (bytes: Buffer, at: number) => [
  Buffer.concat([bytes.subarray(0, at), bytes.subarray(at + 1)]),
  Buffer.concat([bytes.subarray(0, at + 1), bytes.subarray(at)]),
];

test('a byte removed or doubled in text changes no gift but its own cell without a mark', () =>
  fc.assert(
    fc.asyncProperty(rows, anyForm, async (table, written) => {
      const bytes = bytesOf(table, written);
      for (const at of bytes.keys())
        for (const changed of changes(bytes, at).filter((one) => !isTakenForUtf8(one, written)))
          await assertSameOrMarked(changed, answersOf(written), giftsOf(table), bytes[at] === QUOTE ? 0 : 1);
    }),
    { numRuns: 40 },
  ));

test('a byte removed or doubled in a workbook changes no gift without a mark', async () => {
  const [table = []] = fc.sample(rows, { numRuns: 1, seed: 7 });
  const bytes = Buffer.from(await writeXlsx({ sheets: [{ name: 'Gifts', rows: [HEADINGS, ...table.map(cellsOf)] }] }));
  for (let at = 0; at < bytes.length; at += 3)
    for (const changed of changes(bytes, at)) await assertSameOrMarked(changed, {}, giftsOf(table));
});
