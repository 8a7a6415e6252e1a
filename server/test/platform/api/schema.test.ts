import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Type } from 'typebox';
import { referredBy, refTo, resolveRef } from '../../../src/platform/api/schema.ts';

const Leaf = Type.Object({ name: Type.String() }, { $id: 'TestLeaf' });
const Tree = Type.Object({ left: Type.Optional(refTo(Leaf)), right: Type.Array(refTo(Leaf)) }, { $id: 'TestTree' });

test('schemas that others refer to are found once, each after those to which it refers', () => {
  const body = Type.Object({ one: refTo(Tree), other: Type.Union([refTo(Leaf), Type.Null()]) });
  assert.deepEqual([...referredBy(body)], [Leaf, Tree]);
  assert.equal(resolveRef(refTo(Tree)), Tree);
  assert.equal(resolveRef(Tree), Tree);
});

test('two schemas cannot have one name', () => {
  assert.throws(() => refTo(Type.String({ $id: 'TestLeaf' })), /“TestLeaf”/);
  assert.throws(() => refTo(Type.String()), /\$id of its own/);
});
