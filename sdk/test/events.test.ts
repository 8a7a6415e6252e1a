import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { clientOf, errorStep } from '../../server/test/harness/scripted-client.ts';
import { drop, html, json, type Step } from '../../server/test/harness/scripted-server.ts';
import { AbortError, InvalidRequestError, type StreamParams } from '../src/index.ts';

// The stream of events, against a scripted server.

const event = (sequence: number) => ({
  event_id: `evt_${sequence}`,
  type: 'order.created',
  created_at: '2026-11-21T12:00:00.000Z',
  sequence,
  data: { order_id: 'ord_1' },
});
const page = (sequences: number[], next_after: number, more: object = {}): Step =>
  json(200, { object: 'list', data: sequences.map(event), has_more: false, next_after, first_sequence: 1, ...more });

async function streamed(t: TestContext, script: Step[], count: number, params: StreamParams = {}) {
  const { bestow, seen, pauses } = await clientOf(t, script);
  const sequences: number[] = [];
  for await (const { sequence } of bestow.events.stream(params)) if (sequences.push(sequence) === count) break;
  return { sequences, pauses, queries: seen.map(({ url = '' }) => url.slice('/v1/events?'.length)) };
}

test('a stream goes on from each page, past pages without wanted events', async (t) => {
  const script = [page([1, 2], 2), page([], 7, { has_more: true }), page([9], 9)];
  const { sequences, queries } = await streamed(t, script, 3, { after: 0, types: ['order.created', 'gift.opened'] });
  assert.deepEqual(sequences, [1, 2, 9]);
  const rest = 'types=order.created%2Cgift.opened&limit=1000&wait=30';
  assert.deepEqual(
    queries,
    [0, 2, 7].map((after) => `after=${after}&${rest}`),
  );
});

test('a stream survives lost connections, gateways and refusals that pass', async (t) => {
  const script = [
    page([1], 1),
    drop,
    html(502),
    errorStep('rate_limit_exceeded', { 'Retry-After': '1' }),
    page([2], 2),
  ];
  const { sequences, queries, pauses } = await streamed(t, script, 2);
  assert.deepEqual([sequences, pauses.length], [[1, 2], 3]);
  assert.deepEqual(queries.slice(1), Array(4).fill('after=1&limit=1000&wait=30'));
});

test('an empty answer that did not wait is followed by a pause', async (t) => {
  const { sequences, pauses } = await streamed(t, [page([], 4), page([], 4), page([5], 5)], 1);
  assert.deepEqual([sequences, pauses], [[5], [1_000, 1_000]]);
});

test('a stream never skips deleted events unseen', async (t) => {
  const { bestow } = await clientOf(t, [errorStep('cursor_invalid')]);
  await assert.rejects(bestow.events.stream({ after: 3 }).next(), InvalidRequestError);
  const gaps: unknown[] = [];
  const script = [errorStep('cursor_invalid'), page([8], 8, { first_sequence: 8 }), page([8], 8)];
  const { sequences, queries } = await streamed(t, script, 1, { after: 3, onGap: (gap) => void gaps.push(gap) });
  assert.deepEqual([sequences, gaps], [[8], [{ after: 3, firstSequence: 8 }]]);
  assert.deepEqual(queries.slice(1), ['limit=1', 'after=7&limit=1000&wait=30']);
});

test('a signal ends a stream, and a misspelt parameter sends nothing', async (t) => {
  const { bestow, seen } = await clientOf(t, [page([1], 1)]);
  const stop = new AbortController();
  const stream = bestow.events.stream({}, { signal: stop.signal });
  assert.equal((await stream.next()).value.sequence, 1);
  stop.abort();
  await assert.rejects(stream.next(), AbortError);
  const misspelt = { type: ['order.created'] } as StreamParams;
  await assert.rejects(bestow.events.stream(misspelt).next(), TypeError);
  assert.equal(seen.length, 1);
});
