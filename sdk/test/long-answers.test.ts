import assert from 'node:assert/strict';
import { once } from 'node:events';
import { test } from 'node:test';
import { gzipSync } from 'node:zlib';
import { body, clientOf, order, placed, thrownBy } from '../../server/test/harness/scripted-client.ts';
import type { Step } from '../../server/test/harness/scripted-server.ts';
import { ConnectionError } from '../src/index.ts';

// An answer above 16 MiB is not one of the service, and must not fill the memory of a program.

const MIB = 1024 * 1024;
const spaces = (count: number) => Buffer.alloc(count, ' ');
const text = JSON.stringify(order);
const longest = Buffer.concat([spaces(16 * MIB - text.length), Buffer.from(text)]);

const answer =
  (status: number, content: Buffer, headers: Record<string, string> = {}): Step =>
  (response) =>
    response.writeHead(status, { 'Content-Type': 'application/json', ...headers }).end(content);

test('an answer of 16 MiB is read', async (t) => {
  const { bestow, seen } = await clientOf(t, [answer(201, longest)]);
  assert.deepEqual([await bestow.orders.create(body), seen.length], [order, 1]);
});

const longer = Buffer.concat([spaces(1), longest]);
for (const [name, step] of [
  ['an answer', answer(201, longer)],
  ['a compressed answer', answer(201, gzipSync(longer), { 'Content-Encoding': 'gzip' })],
  ['an error', answer(503, longer)],
] as const)
  test(`${name} above 16 MiB counts as none: the order is sent again with its key`, async (t) => {
    const { bestow, seen } = await clientOf(t, [step, placed, step]);
    assert.deepEqual(await bestow.orders.create(body, { idempotencyKey: 'mine' }), order);
    assert.deepEqual(
      seen.map(({ idempotencyKey }) => idempotencyKey),
      ['mine', 'mine'],
    );
    const error = await thrownBy(bestow.orders.create(body, { idempotencyKey: 'mine', maxRetries: 0 }));
    assert.ok(error instanceof ConnectionError && error.outcomeUnknown && error.idempotencyKey === 'mine');
  });

test('the connection of an answer without end is closed', async (t) => {
  let closed: Promise<unknown> | undefined;
  const endless: Step = (response) => {
    closed = once(response, 'close');
    const write = () => {
      while (!response.destroyed && response.write(spaces(MIB)));
    };
    response.writeHead(200).on('drain', write);
    write();
  };
  const { bestow } = await clientOf(t, [endless]);
  assert.ok((await thrownBy(bestow.balance.retrieve({ maxRetries: 0 }))) instanceof ConnectionError);
  await closed;
});

test('a fetch without web streams is read whole', async (t) => {
  const { bestow } = await clientOf(t, [placed], {
    fetch: async () => Object.defineProperty(Response.json(order), 'body', { value: undefined }),
  });
  assert.deepEqual(await bestow.orders.create(body), order);
});
