import assert from 'node:assert/strict';
import { text } from 'node:stream/consumers';
import { test } from 'node:test';
import { guardFormulas, unguardFormulas, unguardWords } from 'bestow-readers/formula-sign.ts';
import fc from 'fast-check';
import Fastify from 'fastify';
import { type CsvFile, csvReply, csvStream } from '../../../src/platform/http/csv-reply.ts';
import { compressList } from '../../../src/platform/pages/compress.ts';
import { until } from '../../harness/server-process.ts';

/** Lists as CSV: what a spreadsheet gets. */

async function* of(...rows: object[]) {
  yield* rows;
}

const csv = (columns: CsvFile['columns'], rows: AsyncIterable<object>) =>
  csvStream({ columns, rows, currency: 'USD' }).then(text);

test('every text is read as it was before it was written', () =>
  fc.assert(
    fc.property(fc.string({ unit: fc.constantFrom(..."'=+-@;\t\r a＝"), maxLength: 10 }), (written) => {
      assert.equal(unguardFormulas(guardFormulas(written)), written);
      assert.equal(unguardWords(guardFormulas(written.replaceAll(/[;\t]/g, ''))), written.replaceAll(/[;\t]/g, ''));
    }),
    { numRuns: 2_000 },
  ));

test('text that looks like a formula gets an apostrophe; numbers do not', async () => {
  const cells: [value: unknown, written: string][] = [
    ['=1+1', "'=1+1"],
    ['+1', "'+1"],
    ['-1', "'-1"],
    ['@a', "'@a"],
    ['\ta', "'\ta"],
    ['\ra', `"'\ra"`],
    ['=HYPERLINK("x")', `"'=HYPERLINK(""x"")"`],
    ["'-1", "''-1"],
    ["x;'-1", "x;''-1"],
    ["'a", "'a"],
    ['a=1', 'a=1'],
    ["x;=cmd|' /C calc'!A0;y", "x;'=cmd|' /C calc'!A0;y"],
    ['x; -1;\t@a', "x; '-1;\t'@a"],
    ['x\t+1', "x\t'+1"],
    ['a;b', 'a;b'],
    ['a,b', '"a,b"'],
    ['a\nb', '"a\nb"'],
    ['', ''],
    [null, ''],
    [undefined, ''],
    [-5, '-5'],
    [0, '0'],
    ['Zoë 你好', 'Zoë 你好'],
  ];
  for (const [value, written] of cells)
    assert.equal(await csv([{ key: 'a', header: 'A' }], of({ a: value })), `A\r\n${written}\r\n`);
  const money: [cents: number, written: string][] = [
    [0, '0.00'],
    [5, '0.05'],
    [-5, '-0.05'],
    [-1205, '-12.05'],
    [9_007_199_254_740_991, '90071992547409.91'],
  ];
  for (const [cents, written] of money)
    assert.equal(
      await csv([{ key: 'a.b', header: 'A', isMoney: true }], of({ a: { b: cents } })),
      `A (USD)\r\n${written}\r\n`,
    );
});

test('the file begins with a byte order mark', async () => {
  const [first] = await (
    await csvStream({ columns: [{ key: 'a', header: 'A' }], rows: of({ a: 'é' }), currency: 'USD' })
  ).toArray();
  assert.deepEqual([...first.subarray(0, 3)], [0xef, 0xbb, 0xbf]);
});

test('a search that takes long begins its file before it finds a row', async () => {
  const found = Promise.withResolvers<void>();
  async function* late() {
    await found.promise;
    yield { a: 1 };
  }
  const stream = await csvStream({ columns: [{ key: 'a', header: 'A' }], rows: late(), currency: 'USD' });
  const parts = stream[Symbol.asyncIterator]();
  // The byte order mark is a part of its own.
  assert.deepEqual([String((await parts.next()).value), String((await parts.next()).value)], ['\ufeff', 'A\r\n']);
  found.resolve();
  assert.equal(String((await parts.next()).value), '1\r\n');
});

test('a list that fails at once fails before its heading', async () => {
  // biome-ignore lint/correctness/useYield: it fails before its first row
  async function* failing(): AsyncGenerator<object, void> {
    throw new Error('gone');
  }
  const stream = await csvStream({ columns: [{ key: 'a', header: 'A' }], rows: failing(), currency: 'USD' });
  await assert.rejects(stream[Symbol.asyncIterator]().next(), { message: 'gone' });
});

test('rows are read on demand and stop when the reader disconnects', async () => {
  let made = 0;
  let isEnded = false;
  async function* endless() {
    try {
      for (;;) {
        made += 1;
        yield { a: `row ${made}` };
      }
    } finally {
      isEnded = true;
    }
  }
  const stream = await csvStream({ columns: [{ key: 'a', header: 'A' }], rows: endless(), currency: 'USD' });
  for await (const _ of stream) if (made > 100) break;
  await new Promise((resolve) => setImmediate(resolve));
  const taken = made;
  assert.ok(taken < 10_000, `${taken} rows`);
  assert.ok(isEnded);
  await new Promise((resolve) => setImmediate(resolve));
  assert.equal(made, taken);
});

test('a list that fails halfway fails the file', async () => {
  async function* failing() {
    yield { a: 1 };
    throw new Error('gone');
  }
  await assert.rejects(csv([{ key: 'a', header: 'A' }], failing()), { message: 'gone' });
});

test('of a compressed file, too, no more rows are read once the reader disconnects, and that is no error', async () => {
  let isEnded = false;
  async function* endless() {
    try {
      for (let n = 0; ; n += 1) yield { a: `row ${n} ${Math.sin(n)}` };
    } finally {
      isEnded = true;
    }
  }
  const logged: unknown[] = [];
  const log = { error: (facts: unknown) => void logged.push(facts) };
  const app = Fastify();
  app.decorateRequest('requestId', '');
  const file = { columns: [{ key: 'a', header: 'A' }], rows: endless(), currency: 'USD' };
  app.get('/', { onSend: compressList }, (_request, reply) => csvReply(reply, log, 'rows', file));
  const reading = new AbortController();
  const response = await fetch(await app.listen(), { signal: reading.signal });
  assert.equal(response.headers.get('content-encoding'), 'gzip');
  await response.body?.getReader().read();
  reading.abort();
  await until(() => isEnded, 'the rows end');
  assert.deepEqual(logged, []);
  await app.close();
});
