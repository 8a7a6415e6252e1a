import fc, { type Arbitrary } from 'fast-check';
import { steeringAddresses } from '../../../server/src/sandbox/steering.ts';
import { isValid, methodsOf, type Operation, operations, type Parameter } from './document.ts';
import { type Sources, validValues } from './schema-values.ts';
import { singleFault } from './single-fault.ts';

/**
 * A request as it is drawn: everything but what only a running service knows (ids, keys). The same seed draws the same
 * requests; `site.ts` puts ids and keys into them.
 */
export interface DrawnRequest {
  operation: Operation;
  /** A method that the path does not have; undefined: the operation's. */
  wrongMethod: string | undefined;
  /** Appended to the path, which then is unknown. */
  unknownSegment: string | undefined;
  keyKind: KeyKind;
  /** For the id in the path. */
  id: Reference;
  query: [name: string, value: Reference | string][];
  idempotencyKey:
    | { kind: 'fresh' | 'used' | 'usedWithThisBody'; text: string }
    | { kind: 'sent'; text: string | undefined };
  contentType: string | undefined;
  body: DrawnBody;
}

/** Which key is sent; all but the first two are refused. */
export const keyKinds = [
  'sandbox',
  'live',
  'none',
  'otherScheme',
  'mistyped',
  'unknown',
  'revoked',
  'suspended',
  'noSandbox',
  'otherEnvironment',
] as const;
export type KeyKind = (typeof keyKinds)[number];

/** Something that exists, or does not, chosen when the request is made; `pick` chooses among several. */
export type Reference =
  | { kind: 'own' | 'foreign' | 'otherKind' | 'unknown'; pick: number }
  | { kind: 'text'; text: string };

export type DrawnBody =
  | { kind: 'none' }
  /** `param` is what a refusal must name, where the body has one fault. */
  | { kind: 'json'; value: unknown; param: string | undefined }
  | { kind: 'text'; text: string }
  /** The JSON value, with spaces before it up to this many bytes. */
  | { kind: 'padded'; value: unknown; bytes: number };

export const BODY_LIMIT_BYTES = 1_048_576;
export const CATEGORIES = ['coffee', 'books', 'travel'];
export const SANDBOX_MAIL_DOMAIN = 'sandbox.gift.test';

const pick = fc.nat({ max: 999 });

/** Without the one whose answer would be waited for. */
const steering = steeringAddresses.filter(({ effect }) => effect !== 'slow');

const steeredEmail = fc
  .tuple(fc.constantFrom('someone', 'bounced', ...steering.flatMap(({ localParts }) => localParts)), fc.nat({ max: 3 }))
  .map(([localPart, label]) => `${localPart}${label === 0 ? '' : `+${label}`}@${SANDBOX_MAIL_DOMAIN}`);

const plainEmail = fc.stringMatching(/^[a-z0-9_'+-]{1,20}[a-z0-9]@([a-z0-9]{1,10}\.){1,3}[a-z]{2,6}$/);

const phone = fc.constantFrom(
  ...steering.map(({ phone }) => phone),
  '+1 (202) 555-0199',
  '+44 (0)20 7946 0018',
  '+49-30-901820',
  '+999 1234567',
);

const sources: Sources = {
  category: fc.oneof({ weight: 40, arbitrary: fc.constantFrom(...CATEGORIES) }, { weight: 1, arbitrary: fc.string() }),
  email: fc.oneof({ weight: 3, arbitrary: plainEmail }, { weight: 2, arbitrary: steeredEmail }),
  phone: fc.oneof(phone, fc.stringMatching(/^\+[1-9][0-9]{6,14}$/)),
};

const often = <Value>(usual: Arbitrary<Value>, weight: number, rare: Arbitrary<Value>) =>
  fc.oneof({ withCrossShrink: true }, { weight, arbitrary: usual }, { weight: 1, arbitrary: rare });

const reference: Arbitrary<Reference> = fc.oneof(
  { withCrossShrink: true },
  { weight: 12, arbitrary: fc.record({ kind: fc.constant('own' as const), pick }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constantFrom('foreign', 'otherKind', 'unknown'), pick }) },
  {
    weight: 1,
    // A dot alone, or two, would be resolved away before the request is sent.
    arbitrary: fc
      .string({ unit: 'grapheme', minLength: 1, maxLength: 60 })
      .filter((text) => text.isWellFormed() && !/^\.{1,2}$/.test(text))
      .map((text) => ({ kind: 'text' as const, text })),
  },
);

const wrongLimits = ['0', '101', '1.5', '', '10abc', '-1', '1e1', '+5', '05', 'ten', '9007199254740993', ' 5', '1,2'];

function queryValue({ schema }: Parameter): Arbitrary<Reference | string> {
  if (schema.type === 'integer') {
    const { minimum: min = 1, maximum: max = 100 } = schema;
    return often(fc.integer({ min, max }).map(String), 5, fc.constantFrom(...wrongLimits));
  }
  const malformed = fc.constantFrom('', ' ', 'a b', 'é', 'gift_1!', "'--", '%00');
  return often<Reference | string>(reference, 6, malformed);
}

function drawnQuery({ parameters }: Operation): Arbitrary<[string, Reference | string][]> {
  const known = parameters.filter((parameter) => parameter.in === 'query');
  const entries = known.map((parameter) => {
    const entry = queryValue(parameter).map((value): [string, Reference | string] => [parameter.name, value]);
    return often<[string, Reference | string] | undefined>(fc.constant(undefined), 2, entry);
  });
  const unknown = fc.constantFrom('expand', 'Limit', 'page').map((name): [string, string] => [name, '1']);
  return fc
    .tuple(...entries, often(fc.constant(undefined), 8, unknown))
    .map((all) => all.filter((entry) => entry !== undefined));
}

const anyText = fc.string({ unit: 'grapheme', maxLength: 40 }).filter((text) => text.isWellFormed());

function drawnBody({ body, method }: Operation): Arbitrary<DrawnBody> {
  const none = fc.constant<DrawnBody>({ kind: 'none' });
  const json = (values: Arbitrary<unknown>) =>
    values.map((value): DrawnBody => ({ kind: 'json', value, param: undefined }));
  if (method === 'GET') return none;
  // An operation without a body ignores whatever comes.
  if (body === undefined)
    return often(
      none,
      4,
      fc.oneof(
        json(fc.jsonValue()),
        anyText.map((text): DrawnBody => ({ kind: 'text', text })),
      ),
    );
  const valid = validValues(body.schema, sources);
  const faulty = fc
    .tuple(valid, fc.nat())
    .map(([value, choice]): DrawnBody => ({ kind: 'json', ...singleFault(body.schema, value, choice) }));
  const cut = fc
    .tuple(valid, fc.nat(), fc.constantFrom('', ',', '}', '"', '\u0001', '//', 'NaN'))
    .map(([value, place, inserted]): DrawnBody => {
      const text = JSON.stringify(value);
      const at = place % text.length;
      return { kind: 'text', text: text.slice(0, at) + inserted + text.slice(at + 1) };
    });
  const padded = fc
    .tuple(valid, fc.constantFrom(BODY_LIMIT_BYTES, BODY_LIMIT_BYTES + 1))
    .map(([value, bytes]): DrawnBody => ({ kind: 'padded', value, bytes }));
  return fc.oneof(
    { withCrossShrink: true },
    { weight: 200, arbitrary: json(valid) },
    { weight: 80, arbitrary: faulty },
    { weight: 20, arbitrary: json(fc.jsonValue()) },
    { weight: 20, arbitrary: cut },
    { weight: 10, arbitrary: none },
    { weight: 1, arbitrary: padded },
  );
}

function drawnIdempotencyKey({ parameters }: Operation): Arbitrary<DrawnRequest['idempotencyKey']> {
  const header = parameters.find((parameter) => parameter.in === 'header');
  const absent = { kind: 'sent' as const, text: undefined };
  if (header === undefined) return fc.constant(absent);
  const text = validValues(header.schema, {}) as Arbitrary<string>;
  const wrong = fc
    .constantFrom(undefined, '', 'x'.repeat(256), 'clé', '\u00ff', 'a\tb')
    .filter((one) => one === undefined || !isValid(header.schema, one));
  return fc.oneof(
    { withCrossShrink: true },
    { weight: 20, arbitrary: fc.record({ kind: fc.constant('fresh' as const), text }) },
    { weight: 3, arbitrary: fc.record({ kind: fc.constantFrom('used', 'usedWithThisBody'), text }) },
    { weight: 2, arbitrary: wrong.map((one) => ({ ...absent, text: one })) },
  );
}

const everyMethod = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'HEAD'];

function drawnOf(operation: Operation): Arbitrary<DrawnRequest> {
  const usual = fc.constant(undefined);
  const wrongMethods = everyMethod.filter((method) => !methodsOf(operation.path).includes(method));
  return fc.record({
    operation: fc.constant(operation),
    wrongMethod: often<string | undefined>(usual, 24, fc.constantFrom(...wrongMethods)),
    unknownSegment: often<string | undefined>(usual, 60, fc.constantFrom('x', 'gifts', '%20', 'v1', '%F0%9F%8E%81')),
    keyKind: fc.oneof(
      { withCrossShrink: true },
      { weight: 50, arbitrary: fc.constant<KeyKind>('sandbox') },
      { weight: 6, arbitrary: fc.constant<KeyKind>('live') },
      { weight: 9, arbitrary: fc.constantFrom(...keyKinds.slice(2)) },
    ),
    id: reference,
    query: drawnQuery(operation),
    idempotencyKey: drawnIdempotencyKey(operation),
    contentType: fc.constantFrom('application/json', undefined, 'text/plain', 'application/xml; charset=x', ''),
    body: drawnBody(operation),
  });
}

/** More of what has more to say; a reset makes another organization's order first. */
const weights: Record<string, number> = {
  getOpenapi: 1,
  resetSandbox: 1,
  simulateDelivery: 4,
  redirectGift: 5,
  createOrder: 8,
};

export const drawnRequests: Arbitrary<DrawnRequest> = fc.oneof(
  ...operations.map((operation) => ({
    weight: weights[operation.operationId] ?? 2,
    arbitrary: drawnOf(operation),
  })),
);
