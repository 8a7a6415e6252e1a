import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { inlineAnswers } from '../../src/platform/api/v1-document.ts';
import type { Answer } from './api-client.ts';

interface Described {
  responses: Record<string, { content?: { 'application/json': { schema: { $ref: string } } } }>;
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
  ajv.addSchema({ ...document, components: { schemas: closed(document.components.schemas) } }, 'document');
  return { operations, ajv };
}

function assertFits(ajv: Ajv2020, name: string, body: unknown, where: string): void {
  const validate = ajv.getSchema(`document${name}`);
  assert.ok(validate?.(body), `${where}: ${ajv.errorsText(validate?.errors)}`);
}

const ERROR = '#/components/schemas/ErrorResponse';

/**
 * Holds an answer of `/v1` against openapi.json: its status is declared and its body fits; an error is one that the
 * operation names in `x-errors`. An answer without `Request-Id` is not the service's.
 */
export function judgeAnswer(method: string, path: string, { status, headers, body }: Answer): void {
  if (!path.startsWith('/v1/') || !headers.has('request-id') || method === 'HEAD') return;
  opened ??= openJudge();
  const { operations, ajv } = opened;
  const [plain = ''] = path.split(/[?#]/);
  const operation = operations.find((one) => one.method === method && one.pattern.test(plain))?.described;
  const where = `${method} ${path} ${status}`;
  if (body?.error === undefined) {
    const schema = operation?.responses[status]?.content?.['application/json'].schema;
    assert.ok(schema, `${where} is not in openapi.json: ${JSON.stringify(body)}`);
    assertFits(ajv, schema.$ref, body, where);
    return;
  }
  assertFits(ajv, ERROR, body, where);
  if (operation === undefined) return;
  const codes = operation['x-errors'][status] ?? [];
  assert.ok(codes.includes(body.error.code), `${where} ${body.error.code} is not in x-errors`);
}
