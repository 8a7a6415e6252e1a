import assert from 'node:assert/strict';
import { test } from 'node:test';
import { DAY_MS, idBefore, startOfDay, timeOfId } from '../../../src/platform/base/id-time.ts';

const NOON = new Date('2026-11-21T12:00:00.123Z');

test('the id before a time is the time in milliseconds followed by zeros', () => {
  assert.equal(idBefore(NOON), '01a1fdfa-467b-0000-0000-000000000000');
  assert.deepEqual(timeOfId(idBefore(NOON)), NOON);
  assert.equal(idBefore(new Date(1)), '00000000-0001-0000-0000-000000000000');
});

test('times before 1970 or after the largest id give the first or last id', () => {
  assert.equal(idBefore(new Date(-1)), '00000000-0000-0000-0000-000000000000');
  assert.equal(idBefore(new Date(8_640_000_000_000_000)), 'ffffffff-ffff-0000-0000-000000000000');
});

test('the time of an id is read from its first 48 bits only', () => {
  assert.deepEqual(timeOfId('01a1fdfa-467b-7fff-bfff-ffffffffffff'), NOON);
});

test('a day begins at midnight UTC', () => {
  const midnight = Date.parse('2026-11-21T00:00:00Z');
  assert.equal(startOfDay(NOON.getTime()), midnight);
  assert.equal(startOfDay(midnight), midnight);
  assert.equal(startOfDay(midnight - 1), midnight - DAY_MS);
  assert.equal(DAY_MS, 24 * 60 * 60 * 1000);
});
