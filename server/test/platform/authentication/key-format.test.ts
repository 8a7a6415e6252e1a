import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { test } from 'node:test';
import { createKey, hashKey, keyHint, parseKey } from '../../../src/platform/authentication/key-format.ts';
import { withChecksum } from '../../harness/key-checksum.ts';

const OWNER = '019aa5c0-7b1e-7000-8000-0123456789ab';
const MAX_ID = '7n42DGM5Tflk9n8mt7Fhc7';

test('a key has a prefix, its organization, 22 random characters and a checksum', () => {
  for (const [environment, pattern] of [
    ['live', /^bestow-(.{22})[0-9A-Za-z]{28}$/],
    ['sandbox', /^bestow-sandbox-(.{22})[0-9A-Za-z]{28}$/],
  ] as const) {
    assert.equal(
      pattern.exec(createKey(environment, '00000000-0000-0000-0000-00000000003e'))?.[1],
      '10'.padStart(22, '0'),
    );
    assert.equal(pattern.exec(createKey(environment, 'ffffffff-ffff-ffff-ffff-ffffffffffff'))?.[1], MAX_ID);
  }
});

test('a parsed key has its hash, environment and organization', () => {
  const extremes = ['00000000-0000-0000-0000-000000000000', 'ffffffff-ffff-ffff-ffff-ffffffffffff'];
  const ids = [...extremes, OWNER, ...Array.from({ length: 200 }, () => randomUUID())];
  for (const organizationId of ids)
    for (const environment of ['live', 'sandbox'] as const)
      for (const holder of ['key', 'agent'] as const) {
        const key = createKey(environment, organizationId, holder);
        const isAgent = holder === 'agent';
        assert.deepEqual(parseKey(key), { hash: hashKey(key), environment, organizationId, isAgent });
      }
});

test('an sk_ key names no organization', () => {
  const key = 'sk_live_0123456789';
  assert.deepEqual(parseKey(key), {
    hash: hashKey(key),
    environment: undefined,
    organizationId: undefined,
    isAgent: false,
  });
});

test('an organization of more than 128 bits is not accepted', () => {
  const keyOf = (id: string) => withChecksum(`bestow-${id}${'x'.repeat(22)}`);
  assert.equal(parseKey(keyOf(MAX_ID))?.organizationId, 'ffffffff-ffff-ffff-ffff-ffffffffffff');
  for (const id of ['7n42DGM5Tflk9n8mt7Fhc8', 'z'.repeat(22)]) assert.equal(parseKey(keyOf(id)), undefined);
});

test('the checksum detects any mistyped character of every form', () => {
  for (const key of [
    ...(['live', 'sandbox'] as const).flatMap((environment) => [
      createKey(environment, OWNER),
      createKey(environment, OWNER, 'agent'),
    ]),
  ]) {
    assert.ok(parseKey(key));
    for (let position = 0; position < key.length; position += 1) {
      const other = key[position] === 'x' ? 'y' : 'x';
      const mistyped = key.slice(0, position) + other + key.slice(position + 1);
      assert.equal(parseKey(mistyped), undefined, mistyped);
    }
    for (const text of [key.replace('sandbox-', ''), key.replace('bestow-', 'bestow-sandbox-'), `${key} `])
      if (text !== key) assert.equal(parseKey(text), undefined, text);
  }
});

test('rejects texts around a key even if their checksum is right', () => {
  const key = `bestow-${'1'.repeat(44)}`;
  assert.ok(parseKey(withChecksum(key)));
  const others = [`bestow-${'1'.repeat(32)}`, `my-${key}`, ` ${key}`, `${key}x`, key.slice(0, -1), `${key} ${key}`];
  for (const body of [...others, key.replace('1', '-')]) assert.equal(parseKey(withChecksum(body)), undefined, body);
});

test('all random characters are equally frequent', () => {
  const keys = 2_000;
  const counts = new Map<string, number>();
  for (let count = 0; count < keys; count += 1)
    for (const digit of createKey('live', OWNER).slice(29, 51)) counts.set(digit, (counts.get(digit) ?? 0) + 1);
  const expected = (keys * 22) / 62;
  assert.equal(counts.size, 62);
  // Six standard deviations: a biased choice (256 modulo 62) would be off by a quarter.
  for (const count of counts.values()) assert.ok(Math.abs(count - expected) < 6 * Math.sqrt(expected), `${count}`);
});

test('the hint is the prefix and the last four characters', () => {
  assert.equal(keyHint(`bestow-sandbox-${'x'.repeat(34)}AbCd`), 'bestow-sandbox-…AbCd');
  assert.equal(keyHint(`bestow-${'x'.repeat(34)}AbCd`), 'bestow-…AbCd');
  assert.equal(keyHint('sk_1234567890'), 'sk_…7890');
});

test('hashes the whole key with SHA-256', () => {
  const expected = '7c8d93f8ffb4cdb85b2a4b0c10886a66959da2eb67707b1c54718850a56d158c';
  assert.equal(hashKey('sk_abc').toString('hex'), expected);
});

test('a legacy key starts with sk_ and has no spaces', () => {
  const others = ['', 'sk_', 'sk_short', 'pk_live_0123456789', 'task_0123456789'];
  for (const text of [...others, 'sk_with blank 123', 'sk_line\nbreak12', 'sk_0123456789 '])
    assert.equal(parseKey(text), undefined, text);
  const lengths = [7, 8, 250, 251].map((length) => parseKey(`sk_${'x'.repeat(length)}`) !== undefined);
  assert.deepEqual(lengths, [false, true, true, false]);
});
