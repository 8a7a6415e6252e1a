import assert from 'node:assert/strict';
import { test } from 'node:test';
import { wasRolledBack } from '../../../src/platform/database/lost-commit.ts';

const failure = (code: string) => Object.assign(new Error(code), { code });

const afterwards = (code?: string) => ({
  async query() {
    if (code !== undefined) throw failure(code);
    return { rows: [] };
  },
});

test('only PostgreSQL’s error in a session that goes on proves that nothing was done', async () => {
  assert.equal(await wasRolledBack(failure('40P01'), afterwards()), true);
  assert.equal(await wasRolledBack(failure('40P01'), afterwards('25P02')), true);
  for (const lost of ['EPIPE', 'EPERM', 'ECONNRESET', 'ETIMEDOUT', '57P01', '08006']) {
    assert.equal(await wasRolledBack(failure('58030'), afterwards(lost)), false, lost);
    assert.equal(await wasRolledBack(failure(lost), afterwards()), false, lost);
  }
});
