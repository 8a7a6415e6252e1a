import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { inlineAnswers } from '../../src/platform/api/v1-document.ts';
import type { Answer } from './api-client.ts';
import { grownSpecification, SPECIFIED_CODES, specification, specifiedAnswer } from './specification.ts';

interface Described {
  responses: Record<string, { content?: { 'application/json': { schema: { $ref: string }; examples?: object } } }>;
  'x-errors': Record<string, string[]>;
}

interface Judge {
  operations: { pattern: RegExp; method: string; described: Described }[];
  ajv: Ajv2020;
}

/** Closes every object: this version may not answer a member that the document does not name. */
export function closed(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map(closed);
  const schema = Object.fromEntries(Object.entries(value).map(([key, item]) => [key, closed(item)]));
  return 'properties' in schema ? { additionalProperties: false, ...schema } : schema;
}

let opened: Judge | undefined;

function openJudge(): Judge {
  const document = inlineAnswers(JSON.parse(readFileSync(new URL('../../../openapi.json', import.meta.url), 'utf8')));
  const operations = Object.entries<Record<string, Described>>(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, described]) => ({
      pattern: new RegExp(`^${path.replace(/\{\w+\}/g, '[^/]+').replaceAll('.', '\\.')}$`),
      method: method.toUpperCase(),
      described,
    })),
  );
  const ajv = new Ajv2020({ strict: false, validateFormats: false });
  ajv.addSchema([specification, grownSpecification]);
  ajv.addSchema({ ...document, components: { schemas: closed(document.components.schemas) } }, 'document');
  return { operations, ajv };
}

function assertFits(ajv: Ajv2020, name: string, body: unknown, where: string): void {
  const validate = ajv.getSchema(`document${name}`);
  assert.ok(validate?.(body), `${where}: ${ajv.errorsText(validate?.errors)}`);
}

const ERROR = '#/components/schemas/ErrorResponse';

/**
 * Holds an answer of the specification's own 14 operations against it: the error has one of its codes with the status, type
 * and retry class of part 7, and nothing else is added than the fields that came later.
 *
 * @param isStrict nothing came later: neither these fields nor `error.reason`
 */
export function judgeBySpecification(
  method: string,
  path: string,
  { status, headers, body }: Pick<Answer, 'status' | 'headers' | 'body'>,
  isStrict = false,
): void {
  const name = specifiedAnswer(method, path);
  if (name === undefined) return;
  opened ??= openJudge();
  const where = `${method} ${path} ${status}`;
  if (body?.error === undefined) {
    assertIs(isStrict ? specification : grownSpecification, name, withoutExpansions(path, body), where);
    return;
  }
  const { reason, ...error } = body.error;
  // Only an order with an `external_id` can get it.
  if (error.code === 'external_id_taken' && !isStrict) return;
  assertIs(specification, 'Error', isStrict ? body : { error }, where);
  const [itsStatus, type, isRetried = false] = SPECIFIED_CODES[error.code] ?? [];
  assert.deepEqual([status, error.type, headers.has('retry-after')], [itsStatus, type, isRetried], where);
}

/** Only a request that asks for a part may get it. */
function withoutExpansions(path: string, body: unknown): unknown {
  const asked = new URL(path, 'http://localhost').searchParams.get('expand')?.split(',') ?? [];
  const strip = (value: unknown): unknown => {
    if (typeof value !== 'object' || value === null) return value;
    if (Array.isArray(value)) return value.map(strip);
    const fields = Object.entries(value).map(([name, field]) => [name, strip(field)] as const);
    const hasParts = 'gift_id' in value || 'order_id' in value;
    return Object.fromEntries(fields.filter(([name]) => !(hasParts && asked.includes(name))));
  };
  return asked.length === 0 ? body : strip(body);
}

function assertIs({ $id }: { $id: string }, name: string, body: unknown, where: string): void {
  const validate = opened?.ajv.getSchema(`${$id}#/$defs/${name}`);
  assert.ok(validate?.(body), `${where} is not as specified: ${opened?.ajv.errorsText(validate?.errors)}`);
}

/**
 * Holds an answer of `/v1` against openapi.json: its status is declared and its body fits; an error is one of those that
 * the operation names in `x-errors`, and the status shows. The specification judges its own operations. An answer without `Request-Id` is not the service's.
 */
export function judgeAnswer(method: string, path: string, answer: Answer): void {
  if (!path.startsWith('/v1/') || !answer.headers.has('request-id') || method === 'HEAD') return;
  judgeByDocument(method, path, answer);
  judgeBySpecification(method, path, answer);
}

function judgeByDocument(method: string, path: string, { status, body }: Answer): void {
  opened ??= openJudge();
  const { operations, ajv } = opened;
  const [plain = ''] = path.split(/[?#]/);
  const operation = operations.find((one) => one.method === method && one.pattern.test(plain))?.described;
  const where = `${method} ${path} ${status}`;
  // A path that is no operation's is 404.
  if (operation === undefined && body?.error !== undefined) {
    assertFits(ajv, ERROR, body, where);
    return;
  }
  const { schema, examples = {} } = operation?.responses[status]?.content?.['application/json'] ?? {};
  assert.ok(schema, `${where} is not in openapi.json: ${JSON.stringify(body)}`);
  assertFits(ajv, schema.$ref, body, where);
  if (body?.error === undefined) return;
  const { code } = body.error;
  const isNamed = operation?.['x-errors'][status]?.includes(code) && code in examples;
  assert.ok(isNamed, `${where} ${code} is not in openapi.json`);
}
