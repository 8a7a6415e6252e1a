import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  createRequestBuffer,
  ENTRIES_PER_SECOND,
  MAX_ENTRIES,
} from '../../../src/capabilities/request-log/record-requests.ts';
import type { RequestBuffer } from '../../../src/capabilities/request-log/write-requests.ts';

function offer(buffer: RequestBuffer<number>, count: number): void {
  for (let n = 0; n < count; n += 1) buffer.offer(() => n);
}

test('keeps a burst up to its limit, then 200 entries a second, and counts the others', () => {
  const buffer = createRequestBuffer<number>();
  const kept: number[] = [];
  for (let second = 0; second < 4; second += 1) {
    offer(buffer, 5_000);
    kept.push(buffer.take().length);
  }
  assert.deepEqual(kept, [MAX_ENTRIES, ENTRIES_PER_SECOND, ENTRIES_PER_SECOND, ENTRIES_PER_SECOND]);
  assert.equal(buffer.takeLeftOut(), 4 * 5_000 - MAX_ENTRIES - 3 * ENTRIES_PER_SECOND);
  assert.equal(buffer.takeLeftOut(), 0);
});

test('unused entries make room for the next burst', () => {
  const buffer = createRequestBuffer<number>();
  offer(buffer, MAX_ENTRIES);
  buffer.take();
  for (let second = 0; second < 10; second += 1) assert.deepEqual(buffer.take(), []);
  offer(buffer, 5_000);
  assert.equal(buffer.take().length, MAX_ENTRIES);
});
