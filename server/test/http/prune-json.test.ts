import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { DEPTH_LIMIT, LENGTH_LIMIT, pruneJson } from '../../src/http/prune-json.ts';

const SEED = 20;
const prunedText = (text: string) => pruneJson(Buffer.from(text)).toString();

/** What parsing makes of the text, or that it is no JSON. */
function parsed(text: string, parse: (text: string) => unknown): { value: unknown } | 'no JSON' {
  try {
    return { value: parse(text) };
  } catch (error) {
    assert.ok(error instanceof SyntaxError);
    return 'no JSON';
  }
}

/** The same, done to the value. */
function prunedValue(value: unknown, depth = 1): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value))
    return depth === DEPTH_LIMIT ? [] : value.slice(0, LENGTH_LIMIT).map((element) => prunedValue(element, depth + 1));
  if (depth === DEPTH_LIMIT) return {};
  const members = Object.entries(value);
  const kept = members.slice(0, LENGTH_LIMIT).map(([name, member]) => [name, prunedValue(member, depth + 1)]);
  return Object.fromEntries(members.length > LENGTH_LIMIT ? [...kept, ['', 0]] : kept);
}

const assertPrunedAs = (text: string) => {
  const whole = parsed(text, JSON.parse);
  assert.deepEqual(
    parsed(text, (json) => JSON.parse(prunedText(json))),
    whole === 'no JSON' ? whole : { value: prunedValue(whole.value) },
    JSON.stringify(text.slice(0, 200)),
  );
};

test('JSON that is neither deep nor long comes back as it was, but for its blanks', () => {
  fc.assert(
    fc.property(fc.json(), (text) => {
      assert.deepEqual(JSON.parse(prunedText(text)), JSON.parse(text));
    }),
    { seed: SEED, numRuns: 1_000 },
  );
});

test('what is no JSON for JSON.parse is none here, and the other way round, however deep it stands', () => {
  const token = fc.constantFrom(
    ...['[', ']', '{', '}', ',', ':', '"a"', '"', '\\', '0', '-', '1.5', '1e3', '1E+', '.', '01', '-0', 'true', 'nul'],
    ...[
      'null',
      '"\\u00e9"',
      '"\\uAFaf"',
      '"\\u00g0"',
      '"\\u000',
      '"\\u00@0"',
      '"\\u00`0"',
      '"\\x"',
      '"\n"',
      '"\u007f"',
      '"é😀"',
      ' ',
      '\t',
      '\f',
      '\u00a0',
      '"a":1',
    ],
  );
  const text = fc.array(token, { maxLength: 8 }).map((tokens) => tokens.join(''));
  fc.assert(
    fc.property(text, fc.constantFrom(0, 1, DEPTH_LIMIT, DEPTH_LIMIT + 1), (core, depth) => {
      assertPrunedAs('['.repeat(depth) + core + ']'.repeat(depth));
      assertPrunedAs('{"a":'.repeat(depth) + core + '}'.repeat(depth));
    }),
    { seed: SEED, numRuns: 10_000 },
  );
});

test('each way to be no JSON is found also where nothing is kept any more', () => {
  const wrong = [
    '{"a"1}',
    '{"a",1}',
    '{"a","b":1}',
    '{,"b":1}',
    '{"a";1}',
    '{"a"}',
    '{"a":}',
    '{"a":1,}',
    '{"a":1]',
    '{,}',
    '{1:1}',
    '{a:1}',
    '{"a":1"b":2}',
  ];
  for (const core of [...wrong, '[1 2]', '[1;2]', '[,1]', '[1,]', '[1,,2]', '[1}', '[:]', '["a":1]', '[1', '{"a":1'])
    for (const depth of [0, 1, DEPTH_LIMIT - 1, DEPTH_LIMIT, DEPTH_LIMIT + 1]) {
      const text = `${'['.repeat(depth)}${core}${']'.repeat(depth)}`;
      assert.equal(parsed(text, JSON.parse), 'no JSON');
      assertPrunedAs(text);
    }
});

test('a text that is JSON but for one byte is read as JSON.parse reads it', () => {
  const byte = fc.integer({ min: 0, max: 127 }).map((code) => String.fromCharCode(code));
  fc.assert(
    fc.property(fc.json(), fc.nat(), byte, fc.nat(1), (text, place, character, dropped) => {
      const at = place % (text.length + 1);
      assertPrunedAs(text.slice(0, at) + character + text.slice(at + dropped));
    }),
    { seed: SEED, numRuns: 5_000 },
  );
});

test('what lies too deep, or too far behind in a list or an object, is left out, and nothing else', () => {
  const deep = (levels: number): fc.Arbitrary<unknown> =>
    levels === 0
      ? fc.constantFrom(1, 'a', null, [], {})
      : fc.oneof(
          fc.array(deep(levels - 1), { minLength: 1, maxLength: 2 }),
          fc.dictionary(fc.constantFrom('a', 'b'), deep(levels - 1), { minKeys: 1, maxKeys: 2 }),
        );
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 6 }).chain(deep), fc.nat(3), (value, more) => {
      const wrapped = '{"a":['.repeat(DEPTH_LIMIT / 2 - more) + JSON.stringify(value);
      assertPrunedAs(`${wrapped}${']}'.repeat(DEPTH_LIMIT / 2 - more)}`);
    }),
    { seed: SEED, numRuns: 500 },
  );
  for (const length of [LENGTH_LIMIT - 1, LENGTH_LIMIT, LENGTH_LIMIT + 1, 3 * LENGTH_LIMIT])
    for (const element of ['0', '[[0],"]"]', '{"a":[1,2]}', `${'['.repeat(DEPTH_LIMIT)}1${']'.repeat(DEPTH_LIMIT)}`]) {
      const list = `[${Array(length).fill(element).join(' , ')}]`;
      assertPrunedAs(list);
      assertPrunedAs(`{"a":${list},"b":[${list},${list}]}`);
      const object = `{${Array.from({ length }, (_, index) => `"n${index}" : ${element}`).join()}}`;
      assertPrunedAs(object);
      assertPrunedAs(`[${object},{"a":${object},"b":${list}}]`);
      // What is long within what is left out changes nothing.
      assertPrunedAs(`[${Array(LENGTH_LIMIT).fill(0).join()},${list},${object},1]`);
    }
});

test('an object of too many members is never taken for one that has fewer', () => {
  const twice = `{${Array(LENGTH_LIMIT).fill('"a":1').join()},"a":2}`;
  assert.deepEqual(JSON.parse(prunedText(twice)), { a: 1, '': 0 });
  const shortest = `{${Array(LENGTH_LIMIT + 1)
    .fill('"":1')
    .join()}}`;
  assert.equal(prunedText(shortest).length, shortest.length);
});
