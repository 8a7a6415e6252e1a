import assert from 'node:assert/strict';
import { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { before, test } from 'node:test';
import { csvStream } from '../../../server/src/platform/http/csv-reply.ts';
import { corpus } from './corpus.ts';
import { type ReadFile, readGifts } from './read-gifts.ts';

before(() => {
  process.env['TZ'] = 'Europe/Berlin';
});

test('the corpus has at least forty files', () => {
  assert.ok(corpus.length >= 40, `${corpus.length} files`);
  assert.equal(new Set(corpus.map(({ name }) => name)).size, corpus.length);
});

for (const { name, bytes, answers, refused, asks, ...expected } of corpus)
  test(`a file: ${name}`, async () => {
    if (refused !== undefined) {
      await assert.rejects(readGifts(bytes, answers), { name: 'TableError', message: refused });
      return;
    }
    const read = await readGifts(bytes, answers);
    if (asks !== undefined) assert.match(read.questions.join(), asks);
    else
      assert.deepEqual(
        {
          questions: read.questions,
          gifts: read.gifts.map(inWords),
          marks: read.marks.map(({ line, column }) => `${line} ${column}`),
          leftOut: read.leftOut,
          unused: read.unused,
        },
        { questions: [], gifts: [], marks: [], leftOut: [], unused: [], ...expected },
      );
  });

test('a file that the service wrote is read with the texts that it holds', async () => {
  const rows = [
    { phone: '+12025550142', name: '-Ada-', reference: '=7', message: "'-20%' for you" },
    { phone: '+12025550143', name: "'+Bo", reference: 'a;-7', message: '@all' },
  ].map((row) => ({ ...row, amount: 2_500, category: 'coffee' }));
  const columns = ['phone', 'name', 'reference', 'message', 'amount', 'category'].map((key) => ({ key, header: key }));
  const stream = await csvStream({
    columns: columns.map((column) => (column.key === 'amount' ? { ...column, isMoney: true as const } : column)),
    rows: Readable.from(rows),
    currency: 'USD',
  });
  const read = await readGifts(Buffer.from((await text(stream)).replace('amount (USD)', 'amount')));
  assert.deepEqual(
    read.gifts.map(({ gift: { delivery, personalization, external_id } }) => [
      delivery.method === 'phone' && delivery.phone,
      personalization?.recipient_name,
      external_id,
      personalization?.message,
    ]),
    rows.map(({ phone, name, reference, message }) => [phone, name, reference, message]),
  );
});

function inWords({ line, gift }: ReadFile['gifts'][number]): string {
  const { delivery, amount, category, personalization: { recipient_name, message } = {}, external_id, send_at } = gift;
  const address =
    delivery.method === 'email' ? delivery.email : delivery.method === 'phone' ? delivery.phone : 'a link';
  return [
    line,
    address,
    (amount / 100).toFixed(2),
    category,
    recipient_name && `“${recipient_name}”`,
    message && `“${message}”`,
    external_id && `ref ${external_id}`,
    send_at && `@${send_at}`,
  ]
    .filter(Boolean)
    .join(' ');
}
