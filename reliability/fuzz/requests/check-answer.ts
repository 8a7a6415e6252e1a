import assert from 'node:assert/strict';
import type { Answer } from '../../../server/test/harness/api-client.ts';
import { assertCommonHeaders, assertRefused } from '../../../server/test/harness/raw-http.ts';
import { NO_ANSWER } from '../exchange.ts';
import type { Operation } from './document.ts';

/** The codes that are allowed, `success` among them, and what a refusal names. */
export interface Expectation {
  codes: readonly string[];
  /** Undefined if the field is not foretold. */
  param?: string;
}

/** Headers beside those of openapi.json. */
const OTHER_HEADERS = new Set([
  'cache-control',
  'connection',
  'content-length',
  'content-security-policy',
  'content-type',
  'date',
  'keep-alive',
  'referrer-policy',
  'x-content-type-options',
]);

/** @throws AssertionError if the answer is not as documented or not one of those expected */
export function checkAnswer(operation: Operation, answer: Answer, { codes, param }: Expectation): void {
  assert.notEqual(answer.status, NO_ANSWER, `no answer came: ${answer.body}`);
  const error = answer.body?.error;
  const outcome = answer.status < 400 ? 'success' : String(error?.code ?? answer.status);
  assert.ok(codes.includes(outcome), `${outcome} instead of ${codes.join(' or ')}: ${JSON.stringify(answer.body)}`);
  if (error === undefined) assertCommonHeaders(answer);
  else assertRefused(answer, error.code, param ?? error.param);
  assertDocumented(operation, answer);
}

function assertDocumented({ operationId, responses }: Operation, { status, headers, body }: Answer): void {
  const documented = responses[String(status)];
  assert.ok(documented, `${operationId} documents no ${status}`);
  const contentType = headers.get('content-type') ?? '';
  const validate = documented.bodies[contentType.replace(/;.*$/, '')];
  assert.ok(validate, `${operationId} documents no “${contentType}” for ${status}`);
  assert.ok(
    validate(body),
    `the body is not as documented: ${JSON.stringify(validate.errors)} ${JSON.stringify(body)}`,
  );
  for (const [name, isHeaderValid] of Object.entries(documented.headers)) {
    const text = headers.get(name);
    // Depends on the code; `assertRefused` checks it.
    if (text === null && name === 'retry-after') continue;
    assert.ok(text !== null && (isHeaderValid(text) || isHeaderValid(Number(text))), `${name}: ${text}`);
  }
  for (const [name] of headers)
    assert.ok(
      name in documented.headers || OTHER_HEADERS.has(name) || (name === 'www-authenticate' && status === 401),
      `${operationId} documents no header ${name} for ${status}`,
    );
}
