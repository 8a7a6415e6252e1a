import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { inlineAnswers } from '../../../src/platform/api/v1-document.ts';

// What generators of clients need of openapi.json (docs/decisions.md#versioning).

interface Response {
  $ref?: string;
  headers?: Record<string, { required?: boolean }>;
  content?: Record<string, { schema: object }>;
}

interface Schema {
  type?: string;
  format?: string;
  pattern?: string;
  enum?: unknown[];
  examples?: string[];
  required?: string[];
  properties?: object;
  additionalProperties?: boolean;
}

interface Document {
  paths: Record<string, Record<string, { responses: Record<string, Response>; requestBody?: object }>>;
  components: { schemas: Record<string, Schema>; responses: Record<string, Response> };
}

const document = JSON.parse(readFileSync(new URL('../../../../openapi.json', import.meta.url), 'utf8')) as Document;

const operations = Object.values(inlineAnswers(document).paths).flatMap((methods) => Object.values(methods));

/** Every schema of the document with the path to it. */
function schemasBelow(value: unknown, where: string): [string, Schema][] {
  if (typeof value !== 'object' || value === null) return [];
  const below = Object.entries(value).flatMap(([key, item]) => schemasBelow(item, `${where}.${key}`));
  return 'type' in value || 'properties' in value ? [[where, value as Schema], ...below] : below;
}

/** The names of the components that a value refers to, directly or not. */
function componentsOf(value: unknown, found = new Set<string>()): Set<string> {
  for (const [, name = ''] of JSON.stringify(value).matchAll(/"#\/components\/schemas\/(\w+)"/g))
    if (!found.has(name)) componentsOf(document.components.schemas[name], found.add(name));
  return found;
}

test('the regular expressions of every language know the patterns', () => {
  const patterns = schemasBelow(document, '').filter(([, { pattern }]) => pattern !== undefined);
  assert.ok(patterns.length >= 7, `${patterns.length} patterns`);
  for (const [where, { pattern = '', examples = [] }] of patterns) {
    assert.doesNotMatch(pattern, /\(\?|\\[pPuUxkBG]|\{\d+,\}|\\[1-9]/, where);
    for (const flags of ['', 'u', ...(where.includes('parameters') ? [] : ['v'])])
      for (const example of examples) assert.match(example, new RegExp(pattern, flags), `${where} ${flags}`);
  }
});

test('an answer may grow: its objects are open, and its texts have no closed list', () => {
  const answers = componentsOf([operations.map(({ responses }) => responses), document.components.responses]);
  const bodies = componentsOf(operations.map(({ requestBody }) => requestBody));
  assert.equal([...answers].filter((name) => bodies.has(name)).length, 0);
  for (const name of answers)
    for (const [where, schema] of schemasBelow(document.components.schemas[name], name))
      assert.ok(schema.additionalProperties !== false && schema.enum === undefined, `${where} is closed`);
  for (const name of bodies) {
    const schema = document.components.schemas[name] ?? {};
    if (schema.properties) assert.equal(schema.additionalProperties, false, `${name} accepts unknown fields`);
  }
});

test('only what an answer always has is required', () => {
  const { Gift, GiftPersonalization } = document.components.schemas;
  assert.deepEqual(Gift?.required, ['gift_id', 'amount', 'category', 'delivery']);
  assert.equal(GiftPersonalization?.required, undefined);
});

test('amounts and counts are 64-bit integers, and each object of an answer has a name', () => {
  for (const [where, { type, format, properties }] of schemasBelow(document.components.schemas, '')) {
    if (type === 'integer') assert.equal(format, 'int64', where);
    if (properties) assert.match(where, /^\.\w+$/);
  }
  for (const { responses } of operations)
    for (const [status, { content }] of Object.entries(responses))
      if (content) assert.ok('$ref' in (content['application/json']?.schema ?? {}), status);
});

/** Answers without a name that have the same schema, but disagree on whether a header is always there. */
const disagreements = ({ paths }: Document) => {
  const answers = Object.values(paths).flatMap((methods) =>
    Object.values(methods).flatMap((one) => Object.values(one.responses)),
  );
  const seen = new Map<string, boolean>();
  return answers.flatMap(({ headers = {}, content }) =>
    Object.entries(headers).flatMap(([header, { required = false }]) => {
      const name = `${JSON.stringify(content?.['application/json']?.schema)} ${header}`;
      const isNew = !seen.has(name);
      if (isNew) seen.set(name, required);
      return seen.get(name) === required ? [] : [name];
    }),
  );
};

test('answers with one schema have the same required headers, as ogen takes for granted', () => {
  assert.deepEqual(disagreements(document), []);
  const disagreeing = disagreements(inlineAnswers(document));
  assert.deepEqual(disagreeing, ['{"$ref":"#/components/schemas/Order"} Idempotent-Replayed'], 'control');
});

test('no schema is called New and the name of another, which Go cannot compile', () => {
  const names = Object.keys(document.components.schemas);
  assert.deepEqual(
    names.filter((name) => names.includes(name.replace(/^New/, '')) && name.startsWith('New')),
    [],
  );
});
