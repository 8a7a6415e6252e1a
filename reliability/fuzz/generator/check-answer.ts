import assert from 'node:assert/strict';
import type { Answer } from '../../../server/test/harness/api-client.ts';
import { assertCommonHeaders, assertRefused } from '../../../server/test/harness/raw-http.ts';
import { NO_ANSWER } from '../exchange.ts';
import { methodsOf, type Operation } from './document.ts';
import { ANY, type Expectation, type PreparedRequest } from './expectation.ts';

/** Headers that an answer may carry beside those of the description, each with its reason. */
const otherHeaders: Record<string, string> = {
  'cache-control': 'no answer is kept',
  connection: 'HTTP',
  'content-length': 'HTTP',
  'content-security-policy': 'no browser runs anything in an answer',
  'content-type': 'HTTP; checked against the description',
  date: 'HTTP',
  'keep-alive': 'HTTP',
  'referrer-policy': 'an answer shown in a browser tells nobody its address',
  'x-content-type-options': 'no browser guesses another type',
};

/** Throws where the answer is not as documented, or not as it must be. */
export function checkAnswer(request: PreparedRequest, method: string, answer: Answer, expectation: Expectation): void {
  const { operation, isWrongMethod, isUnknownPath } = request;
  if (answer.status === NO_ANSWER) {
    assert.equal(expectation.success, NO_ANSWER, `no answer came: ${answer.body}`);
    return;
  }
  if (method === 'HEAD') {
    assert.deepEqual([answer.status, answer.body], [404, ''], 'HEAD of a path that has no GET is 404 without a body');
    assertAllow(answer, operation, isUnknownPath);
    return;
  }
  assertExpected(answer, expectation);
  if (isWrongMethod || isUnknownPath) assertAllow(answer, operation, isUnknownPath);
  else assertDocumented(answer, operation);
}

function assertAllow(answer: Answer, { path }: Operation, isUnknownPath: boolean): void {
  const allowed = isUnknownPath ? null : methodsOf(path).join(', ');
  assert.equal(answer.headers.get('allow'), allowed, 'Allow names the methods of a known path');
}

function assertExpected(answer: Answer, { success, refusals }: Expectation): void {
  const code = answer.body?.error?.code;
  const expected = [success, ...refusals.map((one) => one.code)].filter((one) => one !== undefined);
  if (answer.status < 400) {
    assert.equal(answer.status, success, `${answer.status} where ${expected.join(' or ')} is due`);
    assertCommonHeaders(answer);
    assert.equal(answer.headers.get('retry-after'), null, 'a success has no Retry-After');
    return;
  }
  const refusal = refusals.find((one) => one.code === code);
  assert.ok(refusal, `${answer.status} ${JSON.stringify(answer.body)} where ${expected.join(' or ')} is due`);
  const param = refusal.param === ANY ? answer.body.error.param : refusal.param;
  if (refusal.param === ANY) assert.equal(typeof param, 'string', 'parameter_invalid names what is wrong');
  assertRefused(answer, refusal.code, param);
}

/** Status, content type, headers and body as the description has them. */
function assertDocumented(answer: Answer, { operationId, responses }: Operation): void {
  const { status, headers, body } = answer;
  const documented = responses[String(status)];
  assert.ok(documented, `${operationId} has no ${status} in the description`);
  const contentType = headers.get('content-type') ?? '';
  const validate = documented.bodies[contentType.replace(/;.*$/, '')];
  assert.ok(validate, `“${contentType}” is not in the description of ${operationId}, ${status}`);
  assert.ok(validate(body), `the body is not as described: ${JSON.stringify(validate.errors)} ${JSON.stringify(body)}`);
  if (status >= 400)
    assert.ok(
      documented.examples.includes(answer.body.error.code),
      `${answer.body.error.code} is not described for ${operationId}`,
    );
  for (const [name, isHeaderValid] of Object.entries(documented.headers)) {
    const text = headers.get(name);
    // It depends on the code; `assertRefused` knows where it must be.
    if (text === null && name === 'retry-after') continue;
    assert.ok(text !== null && (isHeaderValid(text) || isHeaderValid(Number(text))), `${name}: ${text}`);
  }
  for (const [name] of headers) {
    const isKnown: boolean =
      name in documented.headers || name in otherHeaders || (name === 'www-authenticate' && status === 401);
    assert.ok(isKnown, `the header ${name} is not in the description of ${operationId}, ${status}`);
  }
}
