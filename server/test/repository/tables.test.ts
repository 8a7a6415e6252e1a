import assert from 'node:assert/strict';
import { test } from 'node:test';
import { roomOf, sourceFiles } from './source-files.ts';
import { READS, tablesOf, WRITES, writersOf } from './table-owners.ts';

// A table has one owner: the folder whose statements change it.

test('one folder writes a table; others call its acts, or contain its statement-parts.ts', () => {
  assert.ok(writersOf.size > 60, `${writersOf.size} tables`);
  assert.deepEqual(
    [...writersOf]
      .filter(([, writers]) => writers.size > 1)
      .map(([table, writers]) => `${table}: ${[...writers].join(', ')}`),
    [],
  );
});

/** Who calls is a question of every room, and people sign in to two pages. */
const READ_ABOVE: Record<string, readonly string[]> = {
  platform: ['agent_grants', 'api_keys', 'custom_roles', 'earlier_keys', 'members', 'organizations', 'sandboxes'],
  capabilities: ['portal.users'],
};

test('a statement reads tables of its own room or of one below', () => {
  const above = sourceFiles.flatMap(({ path, text }) =>
    tablesOf(text, READS).flatMap((table) => {
      const [owner = path] = writersOf.get(table) ?? [];
      const isAbove = roomOf(path) >= 0 && roomOf(`${owner}/`) > roomOf(path);
      return isAbove && !READ_ABOVE[path.split('/')[0] ?? '']?.includes(table) ? [`${path}: ${table}`] : [];
    }),
  );
  assert.deepEqual(above, []);
});

test('the rules on tables see each kind of write and read', () => {
  for (const sql of [
    'insert into gifts (gift_id)',
    'update gifts set spent_cents = 0',
    'update gifts g set spent_cents = 0',
    'update gifts as g\n set spent_cents = 0',
    'delete from gifts where gift_id = $1',
    'delete from gifts',
  ])
    assert.deepEqual(tablesOf(sql, WRITES), ['gifts'], sql);
  for (const sql of ['for no key update', 'on conflict (gift_id) do update set spent_cents = 0', 'for update of g'])
    assert.deepEqual(tablesOf(sql, WRITES), [], sql);
  for (const sql of [
    'select from portal.users u',
    'cards k join\n portal.users u using (card_id)',
    'from portal.users, gifts',
  ])
    assert.ok(tablesOf(sql, READS).includes('portal.users'), sql);
  assert.deepEqual(tablesOf('/* from gifts */ extract(epoch from now()) // from gifts', READS), ['now']);
});

test('SQL writes the name of a table out, but to encrypt secrets again, which changes no value', () => {
  assert.deepEqual(
    sourceFiles
      .filter(({ text }) => /\b(?:insert into|update|delete from|merge into) \$\{/.test(text))
      .map(({ path }) => path),
    ['capabilities/secret-rotation/queries.ts'],
  );
});
