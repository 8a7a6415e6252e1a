import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type TSchema, Type } from 'typebox';
import { Cents, nullable, oneOf, openText, Time } from '../../../src/platform/api/schema.ts';
import { buildSerializer } from '../../../src/platform/api/serialize.ts';

const at = new Date('2026-11-21T12:00:00.123Z');
const Inner = Type.Object({ at: nullable(Time) }, { $id: 'Inner' });

/** Schemas of answers, each with values that it allows. */
const cases: [schema: TSchema, values: unknown[]][] = [
  [Type.String(), ['', 'a "b" \u2028 ü']],
  [nullable(Type.String()), ['null', null]],
  [Time, [at]],
  [nullable(Time), [at, at.toISOString(), null]],
  [Cents, [0, 2 ** 53 - 1]],
  [nullable(Type.Integer({ format: 'int64' })), [0, -5, null]],
  [nullable(Type.Boolean()), [true, false, null]],
  [oneOf('a', 'b'), ['a', 'b']],
  [nullable(oneOf('a', 'b')), ['b', null]],
  [nullable(Type.Literal('only')), ['only', null]],
  [openText(['known'], 'A word.'), ['known', 'unknown']],
  [nullable(Type.Array(Type.String())), [[], ['a'], null]],
  [nullable(Type.Object({ at: nullable(Time) })), [{ at }, { at: null }, null]],
  [nullable(Type.Unsafe({ $ref: 'Inner#' })), [{ at }, { at: null }, null]],
  [Type.Union([Type.Object({ a: Type.Integer() }), Type.Object({ b: Type.String() })]), [{ a: 1 }, { b: 'b' }]],
];

test('an answer is written as JSON, also with nulls where they may be', () => {
  const serializerOf = buildSerializer({ Inner }, {});
  for (const [schema, values] of cases)
    for (const value of values) {
      const answer = { value, list: [value] };
      const written = serializerOf({ schema: Type.Object({ value: schema, list: Type.Array(schema) }) })(answer);
      assert.equal(written, JSON.stringify(answer), JSON.stringify(schema));
    }
});
