import assert from 'node:assert/strict';
import { test } from 'node:test';
import { withoutTurns } from '../src/direction.ts';

const TURNS = '\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069\u200e\u200f\u061c';

test('no control of the writing direction stays, and every letter does', () => {
  assert.equal(withoutTurns(TURNS), '');
  for (const text of ['Zoë 🎁 日本語', 'شركة', 'דנה', 'می\u200cخواهم', '👩\u200d🚀'])
    assert.equal(withoutTurns(`\u202e${text}${TURNS}`), text);
});

test('every text of a JSON value is cleaned, at any depth, and nothing else changes', () => {
  const at = new Date(0);
  const value = { name: `A${TURNS}da`, list: [`${TURNS}x`, 1, null, { deep: `\u202ey` }], at, none: undefined };
  assert.deepEqual(withoutTurns(value), { name: 'Ada', list: ['x', 1, null, { deep: 'y' }], at, none: undefined });
  assert.equal(value.list[0], `${TURNS}x`);
});
