import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readConfig } from '../../../src/platform/configuration/config.ts';

test('shards need a router, are two or more and have no demo', () => {
  const shards = { DATABASE_SHARDS: 'postgres://h/a,postgres://h/b' };
  const refused: [variables: Record<string, string>, sentence: RegExp][] = [
    [shards, /^DATABASE_URL must be the router’s address/],
    [{ DATABASE_SHARDS: 'postgres://h/a' }, /^DATABASE_SHARDS must be two or more addresses/],
    [{ ...shards, DATABASE_URL: 'postgres://h/d', DEMO: '1' }, /^DEMO must be 0/],
  ];
  for (const [variables, sentence] of refused) assert.throws(() => readConfig(variables), { message: sentence });
});
