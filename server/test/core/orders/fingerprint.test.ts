import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { test } from 'node:test';
import fc from 'fast-check';
import { fingerprintOf } from '../../../src/platform/base/fingerprint.ts';

test('the fingerprint is the SHA-256 of JSON with sorted keys and no white space', () => {
  const body = { b: [1, { d: null, c: 'é"' }], a: { z: true, y: 1.5 }, aa: '' };
  const text = '{"a":{"y":1.5,"z":true},"aa":"","b":[1,{"c":"é\\"","d":null}]}';
  assert.equal(fingerprintOf(body), createHash('sha256').update(text).digest('hex'));
});

test('ignores the order of any number of keys', () => {
  const member = fc.tuple(fc.stringMatching(/^[a-z_]{1,6}$/), fc.oneof(fc.integer(), fc.string(), fc.constant(null)));
  fc.assert(
    fc.property(fc.uniqueArray(member, { selector: ([name]) => name }), fc.nat(), (members, seed) => {
      const sorted = members.toSorted(([one], [other]) => (one < other ? -1 : 1));
      const turned = members.map((_, index) => members[(index + seed) % members.length] as (typeof members)[number]);
      const text = `{${sorted.map(([name, value]) => `${JSON.stringify(name)}:${JSON.stringify(value)}`).join()}}`;
      const expected = createHash('sha256').update(text).digest('hex');
      for (const order of [members, turned, members.toReversed()])
        assert.equal(fingerprintOf(Object.fromEntries(order)), expected);
    }),
    { seed: 7, numRuns: 500 },
  );
});
