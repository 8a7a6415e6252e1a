import { checkInput, type Operation, withoutNulls } from './input.ts';
import { Memory } from './memory.ts';
import { ACTS, type Call } from './operations.ts';
import { catchUp } from './orders.ts';
import { invalid, Refusal } from './refusal.ts';
import { RULES } from './rules.ts';
import { push } from './webhooks.ts';

/** A request as the fake got it. */
export interface FakeRequest {
  method: string;
  /** With its query. */
  path: string;
  /** JSON; undefined if there was none. */
  body: string | undefined;
  idempotencyKey: string | undefined;
}
export interface FakeAnswer {
  status: number;
  headers: Record<string, string>;
  body: unknown;
  /** How long it takes, by the clock of the fake. */
  delayMs?: number;
}

/** A filter by a pair of metadata. */
const METADATA = /^\w+\[[A-Za-z0-9][A-Za-z0-9_.:-]{0,39}\]$/;
const KEY = /^[ -~]{1,255}$/;
/** Parts that `expand` can add. */
const PARTS = ['history', 'resource'];

/** The service in memory. */
export class FakeService {
  readonly memory = new Memory();
  readonly requests: FakeRequest[] = [];
  /** Codes of errors that refuse the next calls; `response_lost` does a call and loses its answer. */
  readonly failures: string[] = [];
  readonly #senderName: string;

  constructor(senderName: string) {
    this.#senderName = senderName;
  }

  /**
   * @param isEnded whether the caller has stopped to wait
   * @returns undefined if the answer is lost
   * @throws Error for an operation or a part that the fake does not have
   */
  async answer(request: FakeRequest, isEnded: () => boolean): Promise<FakeAnswer | undefined> {
    this.requests.push(request);
    const failure = this.failures.shift();
    const { memory } = this;
    try {
      if (failure !== undefined && failure !== 'response_lost') throw new Refusal(failure);
      catchUp(memory);
      const call = { ...read(request), senderName: this.#senderName, isEnded };
      const act = ACTS[call.operation.id];
      if (act === undefined) throw new Error(missing(`the operation ${call.operation.id}`));
      const { status = 200, isReplay, isLost, body, delayMs = 0 } = await act(memory, call);
      if (isLost || failure !== undefined) return undefined;
      return { status, headers: isReplay ? { 'Idempotent-Replayed': 'true' } : {}, body, delayMs };
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      return failure === 'response_lost' ? undefined : answerOf(error, memory.nextId('req'));
    } finally {
      await push(memory);
    }
  }
}

const missing = (what: string) =>
  `FakeBestow does not have ${what}. Test it with a real Bestow: see “Your own tests” of the documentation.`;

function answerOf({ code, details }: Refusal, request_id: string): FakeAnswer {
  const known = RULES.errors[code];
  if (known === undefined) throw new Error(`The service has no error ${code}.`);
  const { status, type, message, retry_after } = known;
  const headers = retry_after === undefined ? {} : { 'Retry-After': `${retry_after}` };
  const doc_url = `https://bestow.test/docs/errors#${code}`;
  return { status, headers, body: { error: { type, code, message, ...details, doc_url, request_id } } };
}

const PATTERNS = RULES.operations.map(
  (operation) => [operation, new RegExp(`^${operation.path.replaceAll(/\{\w+\}/g, '([^/]+)')}$`)] as const,
);

/** Finds the operation and checks what it is called with. @throws Refusal */
function read({ method, path, body: text, idempotencyKey: key }: FakeRequest): Omit<Call, 'senderName' | 'isEnded'> {
  const { pathname, searchParams } = new URL(path, 'https://bestow.test');
  const [operation, pattern] = PATTERNS.find(([one, form]) => one.method === method && form.test(pathname)) ?? [];
  if (operation === undefined) throw new Refusal('resource_missing');
  const query = readQuery(operation, [...searchParams]);
  const isKeyWrong = key === undefined ? operation.needs_key : !KEY.test(key);
  if (operation.needs_key !== undefined && isKeyWrong)
    throw invalid('Idempotency-Key', 'must be 1 to 255 printable ASCII characters');
  const body = bodyOf(operation, text);
  const [, id = ''] = pattern?.exec(pathname) ?? [];
  return { operation, id, query, body, key, request: `${method} ${pathname} ${canonical(body)}` };
}

function bodyOf({ body: schema, needs_body }: Operation, text: string | undefined): unknown {
  if (schema === undefined) return {};
  if (text === undefined && needs_body) throw new Refusal('request_body_invalid');
  const body = withoutNulls(RULES.schemas, schema, text === undefined ? {} : parse(text));
  checkInput(RULES.schemas, schema, body);
  return body;
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new Refusal('request_body_invalid');
  }
}

function readQuery({ query: known }: Operation, pairs: [string, string][]): Record<string, string> {
  const query = Object.fromEntries(pairs);
  const twice = pairs.find(([name], index) => pairs.findIndex(([other]) => other === name) < index);
  for (const [name, text] of pairs) {
    const [root = ''] = name.split('[');
    const schema = known[root];
    const isPair = schema?.type === 'object' && name.startsWith(`${root}[`) && name.endsWith(']');
    if (schema === undefined || (!isPair && (name !== root || schema.type === 'object')))
      throw invalid(name, 'is not known here');
    if (isPair && !METADATA.test(name)) throw invalid(name, 'must be sent as metadata[key]=value');
    if (isPair) continue;
    const isNumber = schema.type === 'integer' && /^(0|[1-9]\d*)$/.test(text);
    checkInput({}, schema, isNumber ? Number(text) : text, name);
  }
  if (twice !== undefined) throw invalid(twice[0], 'must be sent once');
  if (query['starting_after'] !== undefined && query['ending_before'] !== undefined)
    throw invalid('ending_before', 'cannot be sent with starting_after');
  const part = query['expand']?.split(',').find((one) => !PARTS.includes(one));
  if (part !== undefined) throw new Error(missing(`the part “${part}”`));
  return query;
}

/** JSON with its members in order, so that equal bodies have equal texts. */
const canonical = (value: unknown): string =>
  JSON.stringify(value, (_, one) => {
    const isPlain = typeof one === 'object' && one !== null && !Array.isArray(one);
    return isPlain ? Object.fromEntries(Object.entries(one).sort(([a], [b]) => (a < b ? -1 : 1))) : one;
  });
