import type { ErrorCode } from '../../../server/src/errors.ts';
import { NO_ANSWER } from '../exchange.ts';
import { isValid, type Operation } from './document.ts';
import { BODY_LIMIT_BYTES, type KeyKind } from './drawn-request.ts';
import { type Facts, losesAnswer, stateRules } from './state-rules.ts';

/** A request that is ready to be sent, as far as what must be answered depends on it. */
export interface PreparedRequest {
  operation: Operation;
  isWrongMethod: boolean;
  isUnknownPath: boolean;
  keyKind: KeyKind;
  /** As it arrives: HTTP takes the spaces around a header's value away. */
  idempotencyKey: string | undefined;
  /** The body's text; undefined where there is none. */
  text: string | undefined;
  /** What a refusal must name, where the body has one fault. */
  param: string | undefined;
  query: [name: string, value: string][];
  /** Whether the id in the path names something that this key can see; undefined where the path has none. */
  isFound: boolean | undefined;
  /** Reads what else is known, once the body is known to be valid. */
  facts(body: unknown): Facts;
}

/** What may be answered: this success, or one of these refusals. */
export interface Expectation {
  success: 200 | 201 | typeof NO_ANSWER | undefined;
  /** `param` is undefined where the refusal names none, and `any` where it names one that is not foretold. */
  refusals: { code: ErrorCode; param: string | undefined }[];
}

export const ANY = 'any';

const refusal = (code: ErrorCode, param?: string): Expectation => ({ success: undefined, refusals: [{ code, param }] });

const codeOfKey: Partial<Record<KeyKind, ErrorCode>> = {
  none: 'api_key_missing',
  otherScheme: 'api_key_missing',
  mistyped: 'api_key_invalid',
  unknown: 'api_key_invalid',
  revoked: 'api_key_revoked',
  suspended: 'organization_suspended',
  noSandbox: 'sandbox_missing',
  otherEnvironment: 'api_key_environment_mismatch',
};

/**
 * What must be answered, by the description, the order of checks and `stateRules`; of the service itself only what an address
 * steers, which the model and the tests of steering know by tables of their own.
 */
export function expect(request: PreparedRequest): Expectation {
  const { operation, keyKind } = request;
  // Not 405: what a path does not have does not exist (decisions, «Order of checks», 2).
  if (request.isUnknownPath || request.isWrongMethod) return refusal('resource_missing');
  if (operation.isPublic) return { success: 200, refusals: [] };
  const codeOfThisKey = codeOfKey[keyKind];
  if (codeOfThisKey !== undefined) return refusal(codeOfThisKey);
  if (keyKind === 'live' && operation.path.startsWith('/v1/sandbox/')) return refusal('sandbox_endpoint_only');
  return expectOfBody(request) ?? expectOfQuery(request) ?? expectOfState(request);
}

const NOT_JSON = Symbol('not JSON');

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return NOT_JSON;
  }
}

/** The body's value; the default one where it may be left out. */
export const bodyValue = ({ operation, text = '' }: PreparedRequest): unknown =>
  text === '' && operation.body?.isRequired === false ? {} : parse(text);

function expectOfBody(request: PreparedRequest): Expectation | undefined {
  const { operation, text, param = ANY, idempotencyKey } = request;
  if (text !== undefined && Buffer.byteLength(text) > BODY_LIMIT_BYTES) return refusal('request_body_too_large');
  if (operation.body === undefined) return undefined;
  const value = bodyValue(request);
  if (value === NOT_JSON) return refusal('request_body_invalid');
  const header = operation.parameters.find((parameter) => parameter.in === 'header');
  if (header !== undefined && !isValid(header.schema, idempotencyKey)) return refusal('parameter_invalid', header.name);
  return isValid(operation.body.schema, value) ? undefined : refusal('parameter_invalid', param);
}

function expectOfQuery({ operation, query }: PreparedRequest): Expectation | undefined {
  const cursors = query.filter(([name]) => name === 'starting_after' || name === 'ending_before');
  for (const { name, schema } of operation.parameters.filter((parameter) => parameter.in === 'query')) {
    const value = query.find(([one]) => one === name)?.[1];
    if (value === undefined) continue;
    // Only the usual decimal digits are a number here, none of the other ways to write one.
    const meant = schema.type === 'integer' && /^[1-9][0-9]*$/.test(value) ? Number(value) : value;
    if (!isValid(schema, meant)) return refusal('parameter_invalid', name);
  }
  // The description cannot say that two parameters exclude each other.
  return cursors.length === 2 ? refusal('parameter_invalid', 'ending_before') : undefined;
}

function expectOfState(request: PreparedRequest): Expectation {
  if (request.isFound === false) return refusal('resource_missing');
  const { operationId } = request.operation;
  const facts = request.facts(request.operation.body && bodyValue(request));
  const refusals: Expectation['refusals'] = [];
  for (const rule of stateRules.filter(({ operations }) => operations.includes(operationId))) {
    const answer = rule.refuses(facts);
    if (answer !== 'never') refusals.push({ code: rule.code, param: rule.param?.(facts) });
    if (answer === 'always') return { success: undefined, refusals };
  }
  if (losesAnswer(facts)) return { success: NO_ANSWER, refusals };
  return { success: operationId === 'createOrder' && facts.keyUse === 'fresh' ? 201 : 200, refusals };
}
