import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  createRequestBuffer,
  ENTRIES_PER_SECOND,
  MAX_ENTRIES,
  type RequestBuffer,
} from '../../src/requests/request-buffer.ts';

type Entry = { organization: string; isError: boolean };

function offer(buffer: RequestBuffer<Entry>, organization: string, count: number, isError = false): void {
  for (let n = 0; n < count; n += 1) buffer.offer(organization, isError, () => ({ organization, isError }));
}

function countOf(entries: Entry[], of: Partial<Entry>): number {
  return entries.filter(({ organization, isError }) => {
    return (of.organization ?? organization) === organization && (of.isError ?? isError) === isError;
  }).length;
}

/** A buffer that has used up its burst. */
function busyBuffer(organizations: string[]): RequestBuffer<Entry> {
  const buffer = createRequestBuffer<Entry>();
  for (const organization of organizations) offer(buffer, organization, MAX_ENTRIES);
  buffer.take();
  return buffer;
}

test('a burst is kept up to the burst’s limit, then 200 a second, and what was left out is counted', () => {
  const buffer = createRequestBuffer<Entry>();
  const kept: number[] = [];
  for (let second = 0; second < 4; second += 1) {
    offer(buffer, 'loud', 5_000);
    kept.push(buffer.take().length);
  }
  assert.deepEqual(kept, [MAX_ENTRIES, ENTRIES_PER_SECOND, ENTRIES_PER_SECOND, ENTRIES_PER_SECOND]);
  assert.equal(buffer.takeLeftOut(), 4 * 5_000 - MAX_ENTRIES - 3 * ENTRIES_PER_SECOND);
  assert.equal(buffer.takeLeftOut(), 0);
});

test('what is not used makes room for the next burst', () => {
  const buffer = busyBuffer(['loud']);
  for (let second = 0; second < 10; second += 1) assert.deepEqual(buffer.take(), []);
  offer(buffer, 'loud', 5_000);
  assert.equal(buffer.take().length, MAX_ENTRIES);
});

test('a quiet organization loses nothing beside loud ones, whoever comes first', () => {
  const loud = Array.from({ length: 300 }, (_, n) => `loud ${n}`);
  const buffer = busyBuffer(loud);
  for (let second = 0; second < 5; second += 1) {
    offer(buffer, 'early', 5);
    for (const organization of loud) offer(buffer, organization, 20);
    offer(buffer, 'late', 5);
    const entries = buffer.take();
    assert.equal(entries.length, ENTRIES_PER_SECOND);
    assert.equal(countOf(entries, { organization: 'early' }), 5);
    assert.equal(countOf(entries, { organization: 'late' }), 5);
  }
});

test('ten organizations each keep twenty requests a second, however much one of them sends', () => {
  const names = Array.from({ length: 10 }, (_, n) => `organization ${n}`);
  const buffer = busyBuffer(['organization 0']);
  offer(buffer, 'organization 0', 5_000);
  for (const name of names.slice(1)) offer(buffer, name, 20);
  const entries = buffer.take();
  for (const name of names) assert.equal(countOf(entries, { organization: name }), 20, name);
});

test('errors go before successes of the same organization, whichever come first', () => {
  for (const errorsFirst of [true, false]) {
    const buffer = busyBuffer(['loud']);
    offer(buffer, 'loud', 150, errorsFirst);
    offer(buffer, 'loud', 150, !errorsFirst);
    offer(buffer, 'loud', 150, errorsFirst);
    offer(buffer, 'loud', 150, !errorsFirst);
    const entries = buffer.take();
    assert.equal(countOf(entries, { isError: true }), 100);
  }
  const buffer = busyBuffer(['loud']);
  offer(buffer, 'loud', 5_000);
  offer(buffer, 'loud', 90, true);
  assert.equal(countOf(buffer.take(), { isError: true }), 90);
});
