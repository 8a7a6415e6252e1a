import assert from 'node:assert/strict';
import { test } from 'node:test';
import { randomFrom } from '../faults/random.ts';
import { restore } from '../faults/restore/restore.ts';

test('a recovery to an earlier minute gives no code, card or sequence out twice, and no event is missed', async () => {
  const { failures, count } = await restore.run({ count: 1, random: randomFrom(1), say: () => undefined });
  assert.deepEqual([failures, count], [[], 1]);
});
