import assert from 'node:assert/strict';
import { test } from 'node:test';
import { crc32 } from 'node:zlib';
import {
  createKey,
  hashKey,
  hasValidChecksum,
  isLegacyKey,
  keyHint,
  parseKeyPrefix,
} from '../../src/keys/key-format.ts';

const BASE62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';

test('a key has a prefix, 32 base62 characters and a checksum of 6', () => {
  for (let count = 0; count < 200; count += 1) {
    assert.match(createKey('live'), /^bestow-[0-9A-Za-z]{38}$/);
    assert.match(createKey('sandbox'), /^bestow-sandbox-[0-9A-Za-z]{38}$/);
  }
});

test('the prefix determines the environment', () => {
  assert.equal(parseKeyPrefix(createKey('live')), 'live');
  assert.equal(parseKeyPrefix(createKey('sandbox')), 'sandbox');
  assert.equal(parseKeyPrefix('sk_legacy_key'), undefined);
  assert.equal(parseKeyPrefix(''), undefined);
});

test('the checksum is the CRC-32 of the rest and detects any mistyped character', () => {
  // From Python's zlib: CRC-32 3500984705, in base62 3ovm3F.
  assert.equal(hasValidChecksum(`bestow-${'0'.repeat(32)}3ovm3F`), true);
  const key = createKey('sandbox');
  assert.equal(hasValidChecksum(key), true);
  for (let position = 0; position < key.length; position += 1) {
    const other = key[position] === 'x' ? 'y' : 'x';
    assert.equal(hasValidChecksum(key.slice(0, position) + other + key.slice(position + 1)), false);
  }
  assert.equal(hasValidChecksum(key.replace('sandbox-', '')), false);
  assert.equal(hasValidChecksum(`${key} `), false);
});

test('rejects texts around a key even if their checksum is right', () => {
  const withChecksum = (body: string) => {
    let rest = crc32(body);
    let digits = '';
    for (let count = 0; count < 6; count += 1) {
      digits = BASE62[rest % 62] + digits;
      rest = Math.floor(rest / 62);
    }
    return body + digits;
  };
  const random = 'x'.repeat(32);
  assert.equal(hasValidChecksum(withChecksum(`bestow-${random}`)), true);
  const key = `bestow-${random}`;
  for (const body of [`my-${key}`, ` ${key}`, `${key}x`, `${key} ${key}`])
    assert.equal(hasValidChecksum(withChecksum(body)), false, body);
});

test('all base62 characters are equally frequent', () => {
  const keys = 2_000;
  const counts = new Map<string, number>();
  for (let count = 0; count < keys; count += 1)
    for (const digit of createKey('live').slice(7, 39)) counts.set(digit, (counts.get(digit) ?? 0) + 1);
  const expected = (keys * 32) / 62;
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
  assert.equal(isLegacyKey('sk_live_0123456789'), true);
  const others = ['', 'sk_', 'sk_short', 'pk_live_0123456789', 'task_0123456789'];
  for (const text of [...others, 'sk_with blank 123', 'sk_line\nbreak12', 'sk_0123456789 '])
    assert.equal(isLegacyKey(text), false, text);
  const lengths = [7, 8, 250, 251].map((length) => isLegacyKey(`sk_${'x'.repeat(length)}`));
  assert.deepEqual(lengths, [false, true, true, false]);
});
