import fc from 'fast-check';
import { createKey } from '../../../server/src/keys/key-format.ts';
import { startTestService, type TestService } from '../../../server/test/harness/test-service.ts';
import { type Exchange, exchange, type HttpRequest, showRequest } from '../exchange.ts';
import { findBrokenTables, type Suite, type SuiteRun } from '../suite.ts';
import { checkAnswer, type Expectation } from './check-answer.ts';
import { isValid, type Operation, operations } from './document.ts';
import {
  BODY_LIMIT_BYTES,
  BOUNCING_EMAIL,
  CATEGORIES,
  type DrawnBody,
  type DrawnRequest,
  drawnRequests,
  type Reference,
} from './draw-request.ts';

const REQUESTS_PER_LINE = 10_000;
/** From this many requests on, each operation must have accepted one. */
const ENOUGH_REQUESTS = 3_000;
const MOST_IDS = 60;
const FUNDS_CENTS = 1_000_000_000_000;
/** A valid request gets none of these. */
const NEVER = /^(?:parameter_invalid|request_body|api_key|sandbox_endpoint_only|internal_error)/;

/** A running service, with the ids that its answers have shown. */
export interface RequestTarget {
  service: TestService;
  authorizations: Record<DrawnRequest['key'], string | undefined>;
  ids: { order: string[]; gift: string[] };
  sent: number;
}

export async function openTarget(): Promise<RequestTarget> {
  const service = await startTestService({ RATE_LIMIT_BURST: '10000000', RATE_LIMIT_ADDRESS_BURST: '10000000' });
  const { keys } = await service.organization({ live: FUNDS_CENTS, sandbox: FUNDS_CENTS });
  const authorizations = {
    sandbox: `Bearer ${keys.sandbox}`,
    live: `Bearer ${keys.live}`,
    none: undefined,
    mistyped: `Bearer ${keys.sandbox.slice(0, -1)}${keys.sandbox.endsWith('x') ? 'y' : 'x'}`,
    unknown: `Bearer ${createKey('sandbox')}`,
  };
  return { service, authorizations, ids: { order: [], gift: [] }, sent: 0 };
}

const kindOf = ({ path }: Operation) => (path.startsWith('/v1/orders') ? 'order' : 'gift');

function textOf({ ids }: RequestTarget, operation: Operation, reference: Reference): string {
  if ('text' in reference) return reference.text;
  const known = ids[kindOf(operation)];
  return known[reference.own % known.length] ?? `${kindOf(operation)}_${String(reference.own).padStart(26, '0')}`;
}

function bodyText(body: DrawnBody): string | undefined {
  if (body.kind === 'none') return undefined;
  // Half of a surrogate pair has no bytes in UTF-8.
  if (body.kind === 'text') return body.text.toWellFormed();
  const text = JSON.stringify(body.value);
  return body.kind === 'json' ? text : text.padStart(body.bytes - (Buffer.byteLength(text) - text.length));
}

function prepare(target: RequestTarget, drawn: DrawnRequest): { request: HttpRequest; expectation: Expectation } {
  const { operation, key, idempotencyKey } = drawn;
  target.sent += 1;
  const id = encodeURIComponent(textOf(target, operation, drawn.id));
  const query = drawn.query.map(([name, value]): [string, string] => [name, textOf(target, operation, value)]);
  const search = query.map((entry) => entry.map(encodeURIComponent).join('=')).join('&');
  const fresh = `${target.sent} ${idempotencyKey.text}`.slice(0, 255);
  const sentKey = idempotencyKey.isFresh ? fresh : idempotencyKey.text;
  const authorization = target.authorizations[key];
  const body = bodyText(drawn.body);
  const request: HttpRequest = {
    operationId: operation.operationId,
    url: target.service.url,
    method: operation.method,
    path: `${operation.path.replace(/\{\w+\}/, id)}${search === '' ? '' : `?${search}`}`,
    headers: {
      ...(authorization === undefined ? {} : { Authorization: authorization }),
      ...(sentKey === undefined ? {} : { 'Idempotency-Key': sentKey }),
    },
    body,
  };
  return { request, expectation: expect(drawn, query, { body, idempotencyKey: sentKey?.trim() }) };
}

/** Says what openapi.json and the order of checks allow as an answer. */
function expect(
  { operation, key }: DrawnRequest,
  query: readonly [name: string, value: string][],
  sent: { body: string | undefined; idempotencyKey: string | undefined },
): Expectation {
  const refused = (code: string, param?: string): Expectation => ({
    codes: [code],
    ...(param === undefined ? {} : { param }),
  });
  if (operation.isPublic) return { codes: ['success'] };
  if (key === 'none') return refused('api_key_missing');
  if (key === 'mistyped' || key === 'unknown') return refused('api_key_invalid');
  if (key === 'live' && operation.path.startsWith('/v1/sandbox/')) return refused('sandbox_endpoint_only');
  if (operation.body !== undefined) {
    const { body = '' } = sent;
    if (Buffer.byteLength(body) > BODY_LIMIT_BYTES) return refused('request_body_too_large');
    const value = body === '' && !operation.body.isRequired ? {} : parse(body);
    if (value === undefined) return refused('request_body_invalid');
    const header = operation.parameters.find((parameter) => parameter.in === 'header');
    if (header !== undefined && !isValid(header.schema, sent.idempotencyKey))
      return refused('parameter_invalid', header.name);
    if (!isValid(operation.body.schema, value)) return refused('parameter_invalid');
    // openapi.json does not list the catalog.
    const { gifts = [] } = value as { gifts?: { category: string }[] };
    if (gifts.some(({ category }) => !CATEGORIES.includes(category))) return refused('parameter_invalid');
  }
  for (const { name, schema } of operation.parameters.filter((parameter) => parameter.in === 'query')) {
    const value = query.find(([one]) => one === name)?.[1];
    const meant = schema.type === 'integer' && /^[1-9][0-9]*$/.test(value ?? '') ? Number(value) : value;
    if (value !== undefined && !isValid(schema, meant)) return refused('parameter_invalid', name);
  }
  // openapi.json cannot say that two parameters exclude each other.
  if (query.filter(([name]) => name !== 'limit').length === 2) return refused('parameter_invalid', 'ending_before');
  const codes = Object.values(operation.responses).flatMap(({ examples }) => examples);
  const allowed = ['success', ...codes.filter((code) => !NEVER.test(code))];
  // The live environment refuses addresses of the sandbox.
  const isImpossible = key === 'live' && sent.body?.includes(BOUNCING_EMAIL) === true;
  return { codes: isImpossible ? [...allowed, 'parameter_invalid'] : allowed };
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function remember({ ids }: RequestTarget, body: { order_id?: string; gifts?: { gift_id: string }[] }): void {
  for (const [known, added] of [
    [ids.order, [body.order_id ?? '']],
    [ids.gift, (body.gifts ?? []).map(({ gift_id }) => gift_id)],
  ] as const) {
    known.push(...added);
    known.splice(0, known.length - MOST_IDS);
  }
}

/** Sends drawn requests one after another. The first finding ends the run, after fast-check has shrunk it. */
export async function checkRequests(target: RequestTarget, send: Exchange, run: SuiteRun): Promise<string[]> {
  const { seed, count, say } = run;
  const outcomes = new Map<string, number>();
  const property = fc.asyncProperty(drawnRequests, async (drawn) => {
    const { request, expectation } = prepare(target, drawn);
    const answer = await send(request);
    try {
      checkAnswer(drawn.operation, answer, expectation);
    } catch (error) {
      throw new Error(`${(error as Error).message}\n    ${showRequest(request)}`, { cause: error });
    }
    if (request.operationId === 'createOrder' && answer.status === 201) remember(target, answer.body);
    const outcome = [request.operationId, answer.status, answer.body?.error?.code].filter(Boolean).join(' ');
    outcomes.set(outcome, (outcomes.get(outcome) ?? 0) + 1);
    if (target.sent % REQUESTS_PER_LINE === 0) say(`${target.sent} requests`);
  });
  const { failed, counterexamplePath, errorInstance, numShrinks } = await fc.check(property, { seed, numRuns: count });
  if (failed)
    return [
      `${(errorInstance as Error)?.message}\n    seed ${seed}, path ${counterexamplePath}, after ${numShrinks} steps`,
    ];
  for (const [outcome, times] of [...outcomes].sort()) say(`${outcome}: ${times}`);
  if (count < ENOUGH_REQUESTS) return [];
  return operations
    .filter(({ operationId }) => ![...outcomes.keys()].some((outcome) => outcome.startsWith(`${operationId} 2`)))
    .map(({ operationId }) => `${operationId} never accepted a valid request`);
}

/** Requests that are drawn from openapi.json. Every answer must be documented and expected. */
export const generatedRequests: Suite = {
  name: 'requests',
  counts: { whole: 100_000, short: 5_000 },
  async run(options) {
    const target = await openTarget();
    try {
      return [...(await checkRequests(target, exchange, options)), ...(await findBrokenTables(target.service))];
    } finally {
      await target.service.close();
    }
  },
};
