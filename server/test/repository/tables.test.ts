import assert from 'node:assert/strict';
import { dirname } from 'node:path';
import { test } from 'node:test';
import { sourceFiles } from './source-files.ts';

// A table has one owner: the folder whose statements change it.

/** A statement that changes a table, with its name. */
const WRITES =
  /\b(?:(?<!do )update(?= [\w.]+(?: (?:as )?\w+)?\s+set\b)|insert into|delete from|merge into) ([a-z_.]+)/g;

test('one folder writes a table; others call its acts, or contain its statement-parts.ts', () => {
  const writersOf = new Map<string, Set<string>>();
  for (const { path, text } of sourceFiles) {
    const sql = text.replace(/\/\*[\s\S]*?\*\/|\/\/.*$/gm, '');
    for (const [, table = ''] of sql.matchAll(WRITES))
      writersOf.set(table, (writersOf.get(table) ?? new Set()).add(dirname(path).split('/').slice(0, 2).join('/')));
  }
  assert.ok(writersOf.size > 60, `${writersOf.size} tables`);
  assert.deepEqual(
    [...writersOf]
      .filter(([, writers]) => writers.size > 1)
      .map(([table, writers]) => `${table}: ${[...writers].join(', ')}`),
    [],
  );
});

test('the rule on tables sees each kind of write', () => {
  for (const sql of [
    'insert into gifts (gift_id)',
    'update gifts set spent_cents = 0',
    'update gifts g set spent_cents = 0',
    'update gifts as g\n set spent_cents = 0',
    'delete from gifts where gift_id = $1',
    'delete from gifts',
  ])
    assert.deepEqual(
      [...sql.matchAll(WRITES)].map(([, table]) => table),
      ['gifts'],
      sql,
    );
  for (const sql of ['for no key update', 'on conflict (gift_id) do update set spent_cents = 0', 'for update of g'])
    assert.deepEqual([...sql.matchAll(WRITES)], [], sql);
});

test('SQL writes the name of a table out, but to encrypt secrets again, which changes no value', () => {
  assert.deepEqual(
    sourceFiles
      .filter(({ text }) => /\b(?:insert into|update|delete from|merge into) \$\{/.test(text))
      .map(({ path }) => path),
    ['capabilities/secret-rotation/queries.ts'],
  );
});
