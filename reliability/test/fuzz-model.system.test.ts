import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { verifyAll } from '../../server/test/harness/ledger.ts';
import { exchange, type Tampering, tampered, withHeader } from '../fuzz/exchange.ts';
import type { Stage } from '../fuzz/model/run-sequence.ts';
import { checkSequences, openStage } from '../fuzz/model/suite.ts';

// The short form of `npm run fuzz -- --only model`, always with the same sequences.

const SEED = 20_261_121;
const COUNT = 20;
/** Enough for each lie, and soon made small. */
const FEW_CALLS = 12;

let stage: Stage;
before(async () => {
  stage = await openStage();
});
after(() => stage.services[0].close());

test(`${COUNT} sequences of 50 calls get the answers of the model`, async () => {
  assert.deepEqual(await checkSequences(stage, exchange, { seed: SEED, count: COUNT, say: () => undefined }), []);
  await verifyAll(stage.services[0]);
});

/** Each is a service with one fault, and the last call of the smallest sequence that shows it. */
const lies: [name: string, tampering: Tampering, lastCall: RegExp][] = [
  [
    'a changed amount',
    ({ operationId }, { status, body }) =>
      operationId === 'GET /v1/gifts/{id}' && status === 200
        ? { body: { ...body, amount: body.amount + 1 } }
        : undefined,
    /GET \/v1\/gifts\/gift_\w+ → 200/,
  ],
  [
    'an order placed again for the same key',
    (_, answer) =>
      answer.headers.has('idempotent-replayed')
        ? { status: 201, headers: withHeader(answer, 'idempotent-replayed', undefined) }
        : undefined,
    /POST \/v1\/orders \(key \d+\).* → 201/,
  ],
  [
    'an order that the balance does not cover',
    ({ operationId }, { body }) =>
      operationId === 'POST /v1/orders' && body?.error?.code === 'insufficient_balance' ? { status: 201 } : undefined,
    /POST \/v1\/orders .* → 201/,
  ],
  [
    'a list the other way round',
    ({ operationId }, { status, body }) =>
      operationId === 'GET /v1/orders' && status === 200
        ? { body: { ...body, data: body.data.toReversed() } }
        : undefined,
    /GET \/v1\/orders\?.* → 200/,
  ],
  [
    'a claim that is not shown',
    ({ operationId }, { status, body }) =>
      operationId === 'POST /v1/sandbox/gifts/{id}/claim' && status === 200
        ? { body: { ...body, delivery: { ...body.delivery, status: 'opened' } } }
        : undefined,
    /POST \/v1\/sandbox\/gifts\/gift_\w+\/claim → 200/,
  ],
  [
    'a link that changes before its time',
    ({ operationId }, { status, body }) =>
      operationId === 'GET /v1/gifts/{id}' && status === 200 && body.delivery.method === 'link'
        ? { body: { ...body, delivery: { ...body.delivery, link: `${body.delivery.link}x` } } }
        : undefined,
    /GET \/v1\/gifts\/gift_\w+ → 200/,
  ],
  [
    'a reset that counts wrong',
    ({ operationId }, { status, body }) =>
      operationId === 'POST /v1/sandbox/reset' && status === 200
        ? { body: { ...body, ledger_entries_deleted: body.ledger_entries_deleted + 1 } }
        : undefined,
    /POST \/v1\/sandbox\/reset → 200/,
  ],
  [
    'another refusal than the one that comes first',
    (_, { status, body }) =>
      body?.error?.code === 'gift_delivery_not_updatable' && status === 422
        ? { body: { error: { ...body.error, code: 'gift_resend_limit_reached' } } }
        : undefined,
    /PUT \/v1\/gifts\/gift_\w+\/delivery .* → 422 gift_resend_limit_reached/,
  ],
];

for (const [name, tampering, lastCall] of lies)
  test(`the model finds ${name}, and shows the smallest sequence and what replays it`, async () => {
    const send = tampered(exchange, tampering);
    const options = { seed: SEED, count: 200, say: () => undefined };
    const [found = ''] = await checkSequences(stage, send, options, FEW_CALLS);
    const lines = found.split('\n');
    assert.match(lines.at(-2) ?? '', lastCall);
    assert.match(lines.at(-1) ?? '', new RegExp(`seed ${SEED}, path [0-9:]+, after \\d+ steps`));
    const calls = lines.slice(lines.findIndex((line) => line.includes(' processes:')) + 1, -1);
    assert.ok(calls.length <= 5, `${calls.length} calls are left`);
  });
