import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readConfig } from '../../../src/platform/configuration/config.ts';

test('shards are named without another address, are two or more and have no demo', () => {
  const shards = { DATABASE_SHARDS: 'postgres://h/a,postgres://h/b' };
  const refused: [variables: Record<string, string>, sentence: RegExp][] = [
    [{ ...shards, DATABASE_URL: 'postgres://h/d' }, /^DATABASE_URL must not be set where DATABASE_SHARDS is/],
    [{ DATABASE_SHARDS: 'postgres://h/a' }, /^DATABASE_SHARDS must be two or more addresses/],
    [{ ...shards, DEMO: '1' }, /^DEMO must be 0/],
  ];
  for (const [variables, sentence] of refused) assert.throws(() => readConfig(variables), { message: sentence });
});
