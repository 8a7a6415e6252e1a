import assert from 'node:assert/strict';
import type { IncomingMessage } from 'node:http';
import { Readable } from 'node:stream';
import { test } from 'node:test';
import fc from 'fast-check';
import { BestowError } from '../../../src/platform/base/errors.ts';
import { readBody } from '../../../src/platform/http/bodies.ts';

const read = (text: string) =>
  readBody(
    Object.assign(Readable.from([Buffer.from(text)]), { headers: {} }) as unknown as IncomingMessage,
    'required',
  );
const isInvalid = (error: unknown) => error instanceof BestowError && error.code === 'request_body_invalid';

const nested = (depth: number, core = '"[[[{{{\\""') => `${'[{"a":'.repeat(depth / 2)}${core}${'}]'.repeat(depth / 2)}`;

test('reads JSON of 64 nested levels and refuses deeper JSON', async () => {
  assert.deepEqual(await read(nested(64)), JSON.parse(nested(64)));
  await assert.rejects(read(nested(64, '[]')), isInvalid);
  await assert.rejects(read('['.repeat(1_000_000)), isInvalid);
});

test('reads every JSON text as JSON.parse does', async () => {
  const text = fc.oneof(
    fc.json({ maxDepth: 8 }),
    fc.string(),
    fc.constantFrom('"\\"[', '"]"', '[]]', '{"a\\\\":[{}]}'),
  );
  await fc.assert(
    fc.asyncProperty(text, async (json) => {
      let expected: unknown;
      try {
        expected = JSON.parse(json);
      } catch {
        if (json !== '') await assert.rejects(read(json), isInvalid);
        return;
      }
      assert.deepEqual(await read(json), expected);
    }),
    { seed: 20, numRuns: 2_000 },
  );
});

test('refuses an object with more than 1,000 members, at any place, and names it', async () => {
  const members = (count: number) => Array.from({ length: count }, (_, index) => `"m\\"${index}":[{},"a,b:"]`).join();
  const full = `{"gifts":[{},{"metadata":{${members(1_000)}}}],"x":[${'1,'.repeat(2_000)}1]}`;
  assert.deepEqual(await read(full), JSON.parse(full));
  for (const [json, param] of [
    [`{${members(1_001)}}`, 'body'],
    [`[1,{${members(1_001)}}]`, '[1]'],
    [`{"x":{"a":1},"gifts":[{"a":1},{"metadata":{${members(1_001)}}}]}`, 'gifts[1].metadata'],
  ] as const)
    await assert.rejects(
      read(json),
      (error) => error instanceof BestowError && error.code === 'parameter_invalid' && error.param === param,
    );
});

// A reader of quadratic time would hang.
test('refuses a megabyte of escapes and brackets', async () => {
  for (const piece of ['\\"', '[', '"[', '[]', '"\\\\"'])
    await assert.rejects(read(piece.repeat(Math.floor(1_000_000 / piece.length))), isInvalid);
});
