import assert from 'node:assert/strict';
import { test } from 'node:test';
import { RecentMap } from '../../../src/platform/base/recent-map.ts';

test('keeps the latest half and forgets older keys', () => {
  const map = new RecentMap<string, number>(4);
  const known = () => ['a', 'b', 'c', 'd'].map((key) => map.get(key));
  map.set('a', 1);
  map.set('b', 2);
  map.set('c', 3);
  assert.deepEqual(known(), [1, 2, 3, undefined]);
  map.set('d', 4);
  assert.deepEqual(known(), [undefined, undefined, 3, 4]);
});

test('a key that is set again counts once, has its latest value and stays', () => {
  const map = new RecentMap<string, number>(4);
  for (let value = 1; value <= 10; value += 1) map.set('a', value);
  assert.equal(map.get('a'), 10);
  map.set('b', 1);
  map.set('a', 11);
  assert.equal(map.get('a'), 11, 'set in both halves');
  map.set('c', 1);
  assert.deepEqual([map.get('a'), map.get('b'), map.get('c')], [11, undefined, 1]);
});

test('a deleted key is gone from both halves', () => {
  const map = new RecentMap<string, number>(4);
  for (const value of [1, 2, 3]) map.set('a', value);
  map.set('b', 1);
  map.set('a', 4);
  map.delete('a');
  assert.deepEqual([map.get('a'), map.get('b')], [undefined, 1]);
});
