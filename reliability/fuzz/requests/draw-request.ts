import fc, { type Arbitrary } from 'fast-check';
import { isValid, type Operation, operations, type Parameter } from './document.ts';
import { alterOnce, type Sources, validValues } from './draw-values.ts';

/** A drawn request: everything except what only a running service knows. */
export interface DrawnRequest {
  operation: Operation;
  key: KeyKind;
  /** For the id in the path. */
  id: Reference;
  query: [name: string, value: Reference][];
  /** `fresh` gets a number, so that no two orders share a key. */
  idempotencyKey: { isFresh: boolean; text: string | undefined };
  body: DrawnBody;
}

export const keyKinds = ['sandbox', 'live', 'none', 'mistyped', 'unknown'] as const;
export type KeyKind = (typeof keyKinds)[number];

/** Any of the known ids of the organization, or this text. */
export type Reference = { own: number } | { text: string };

export type DrawnBody =
  | { kind: 'none' }
  | { kind: 'json'; value: unknown }
  | { kind: 'text'; text: string }
  /** The JSON value behind spaces, up to this many bytes. */
  | { kind: 'padded'; value: unknown; bytes: number };

export const BODY_LIMIT_BYTES = 1_048_576;
export const BOUNCING_EMAIL = 'bounced@sandbox.gift.test';
export const CATEGORIES = ['coffee', 'books', 'travel'];

const sources: Sources = {
  category: fc.constantFrom(...CATEGORIES),
  email: fc.oneof(
    { weight: 3, arbitrary: fc.stringMatching(/^[a-z0-9_'+-]{1,20}[a-z0-9]@([a-z0-9]{1,10}\.){1,3}[a-z]{2,6}$/) },
    // Only a failed gift can be redirected.
    { weight: 2, arbitrary: fc.constant(BOUNCING_EMAIL) },
  ),
  phone: fc.oneof(
    fc.constantFrom('+1 (202) 555-0199', '+44 (0)20 7946 0018', '+49-30-901820'),
    fc.stringMatching(/^\+[1-9][0-9]{6,14}$/).filter((phone) => !phone.startsWith('+12025550')),
  ),
};

const often = <Value>(usual: Arbitrary<Value>, weight: number, rare: Arbitrary<Value>) =>
  fc.oneof({ withCrossShrink: true }, { weight, arbitrary: usual }, { weight: 1, arbitrary: rare });

const ownReference: Arbitrary<Reference> = fc.record({ own: fc.nat({ max: 999 }) });
// HTTP clients resolve one or two dots away.
const anyReference: Arbitrary<Reference> = fc
  .string({ unit: 'grapheme', minLength: 1, maxLength: 60 })
  .filter((text) => text.isWellFormed() && !/^\.{1,2}$/.test(text))
  .map((text) => ({ text }));

const wrongLimits = ['0', '101', '1.5', '', '10abc', '-1', '1e1', '+5', '05', 'ten', '9007199254740993', ' 5', '1,2'];

function drawnQueryValue({ schema }: Parameter): Arbitrary<Reference> {
  const text = (texts: Arbitrary<string>) => texts.map((one): Reference => ({ text: one }));
  if (schema.type !== 'integer')
    return often(ownReference, 6, text(fc.constantFrom('', ' ', 'a b', 'é', "'--", '%00')));
  const { minimum: min = 1, maximum: max = 100 } = schema;
  return often(text(fc.integer({ min, max }).map(String)), 5, text(fc.constantFrom(...wrongLimits)));
}

function drawnQuery({ parameters }: Operation): Arbitrary<[string, Reference][]> {
  const entries = parameters
    .filter((parameter) => parameter.in === 'query')
    .map((parameter) => {
      const entry = drawnQueryValue(parameter).map((value): [string, Reference] => [parameter.name, value]);
      return often<[string, Reference] | undefined>(fc.constant(undefined), 2, entry);
    });
  return fc.tuple(...entries).map((all) => all.filter((entry) => entry !== undefined));
}

function drawnBody({ body }: Operation): Arbitrary<DrawnBody> {
  const none = fc.constant<DrawnBody>({ kind: 'none' });
  if (body === undefined) return none;
  const valid = validValues(body.schema, sources);
  const json = (values: Arbitrary<unknown>) => values.map((value): DrawnBody => ({ kind: 'json', value }));
  const altered = fc.tuple(valid, fc.nat()).map(([value, choice]) => alterOnce(value, choice));
  const cut = fc
    .tuple(valid, fc.nat(), fc.constantFrom('', ',', '}', '"', '\u0001', '//', 'NaN'))
    .map(([value, choice, inserted]): DrawnBody => {
      const text = JSON.stringify(value);
      const at = choice % text.length;
      return { kind: 'text', text: text.slice(0, at) + inserted + text.slice(at + 1) };
    });
  const padded = fc
    .tuple(valid, fc.constantFrom(BODY_LIMIT_BYTES, BODY_LIMIT_BYTES + 1))
    .map(([value, bytes]): DrawnBody => ({ kind: 'padded', value, bytes }));
  return fc.oneof(
    { withCrossShrink: true },
    { weight: 200, arbitrary: json(valid) },
    { weight: 80, arbitrary: json(altered) },
    { weight: 20, arbitrary: json(fc.jsonValue()) },
    { weight: 20, arbitrary: cut },
    { weight: 10, arbitrary: none },
    { weight: 1, arbitrary: padded },
  );
}

function drawnIdempotencyKey({ parameters }: Operation): Arbitrary<DrawnRequest['idempotencyKey']> {
  const header = parameters.find((parameter) => parameter.in === 'header');
  if (header === undefined) return fc.constant({ isFresh: false, text: undefined });
  const fresh = (validValues(header.schema, {}) as Arbitrary<string>).map((text) => ({ isFresh: true, text }));
  const wrong = fc
    .constantFrom(undefined, '', 'x'.repeat(256), 'clé', '\u00ff', 'a\tb')
    .filter((text) => text === undefined || !isValid(header.schema, text))
    .map((text) => ({ isFresh: false, text }));
  return often<DrawnRequest['idempotencyKey']>(fresh, 10, wrong);
}

const drawnOf = (operation: Operation): Arbitrary<DrawnRequest> =>
  fc.record({
    operation: fc.constant(operation),
    key: fc.oneof(
      { withCrossShrink: true },
      { weight: 50, arbitrary: fc.constant<KeyKind>('sandbox') },
      { weight: 8, arbitrary: fc.constantFrom(...keyKinds) },
    ),
    id: often(ownReference, 6, anyReference),
    query: drawnQuery(operation),
    idempotencyKey: drawnIdempotencyKey(operation),
    body: drawnBody(operation),
  });

/** Operations with more rules get more requests. A reset deletes what the others need. */
const weights: Record<string, number> = { resetSandbox: 1, simulateDelivery: 40, redirectGift: 50, createOrder: 80 };

export const drawnRequests: Arbitrary<DrawnRequest> = fc.oneof(
  ...operations.map((operation) => ({
    weight: weights[operation.operationId] ?? 20,
    arbitrary: drawnOf(operation),
  })),
);
