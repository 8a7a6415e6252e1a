import fc, { type Arbitrary } from 'fast-check';

export interface NewGift {
  amount: number;
  category: string;
  delivery: NewDelivery;
  personalization?: { recipient_name?: string; sender_name?: string };
}

export type NewDelivery = { method: 'email'; email: string } | { method: 'phone'; phone: string } | { method: 'link' };

/** The index of a known order or gift, modulo their number. From `FOREIGN` on, one of another organization. */
export type Pick = number;
export const FOREIGN = 38;

export interface Cursor {
  name: 'starting_after' | 'ending_before';
  /** An item of the list, or a text. */
  value: Pick | string;
}

export type Call =
  /** What a call shrinks to. */
  | { call: 'nothing' }
  | { call: 'categories' }
  /** Few keys are drawn, so that some are reused. */
  | { call: 'order'; gifts: NewGift[]; key: number }
  /** An earlier key and body with reordered members, or with one more gift. */
  | { call: 'replay'; pick: Pick; isChanged: boolean }
  | { call: 'retrieve'; kind: 'orders' | 'gifts'; pick: Pick }
  | { call: 'list'; kind: 'orders' | 'gifts'; limit: string | undefined; cursors: Cursor[] }
  | { call: 'redirect'; pick: Pick; isOfFailed: boolean; to: NewDelivery; times: number }
  | { call: 'simulate'; act: 'deliver' | 'fail' | 'open' | 'claim' | 'spend'; pick: Pick }
  | { call: 'reset' }
  /** As an operator does. */
  | { call: 'fund'; cents: number }
  | { call: 'member'; isActive: boolean }
  | { call: 'wait'; ms: number };

export type ScopedCall = Call & { isLive: boolean };

/** Effects of addresses by local part; the numbers from +12025550100 on have the same effects in this order. */
export const effects = [
  ['delivered'],
  ['delivery-failed', 'bounced'],
  ['opened'],
  ['claimed'],
  ['spent'],
  ['processing'],
  ['insufficient-balance'],
  ['internal-error'],
  ['rate-limited'],
  ['response-lost'],
] as const;

const localParts = ['someone', 'bounced', 'bounced', 'Delivery-Failed', ...effects.flat()];
const emails = [...localParts.map((part) => `${part}@sandbox.gift.test`), 'opened+2@SANDBOX.gift.test'];
const phones = [...effects.keys()].map((number) => `+1 (202) 555-010${number}`);

const pick = fc.nat({ max: 40 });

const often = <Value>(usual: Value[], rare: Value) =>
  fc.oneof({ weight: 40, arbitrary: fc.constantFrom(...usual) }, { weight: 1, arbitrary: fc.constant(rare) });

const delivery: Arbitrary<NewDelivery> = fc.oneof(
  { weight: 3, arbitrary: fc.constant({ method: 'link' as const }) },
  {
    weight: 4,
    arbitrary: often(['ada@example.com', 'claimed@example.com', ...emails], 'no address').map((email) => ({
      method: 'email' as const,
      email,
    })),
  },
  {
    weight: 2,
    arbitrary: often(['+44 20 7946 0018', '+442079460018', ...phones], '12').map((phone) => ({
      method: 'phone' as const,
      phone,
    })),
  },
);

const name = often(['Ada', 'Zoë 🎁', '<b>'], '');

const gift: Arbitrary<NewGift> = fc.record(
  {
    amount: often([1000, 2500, 7001, 50_000], 999),
    category: often(['coffee', 'books', 'travel'], 'nothing'),
    delivery,
    personalization: fc.record(
      { recipient_name: name, sender_name: name },
      { requiredKeys: [], noNullPrototype: true },
    ),
  },
  { requiredKeys: ['amount', 'category', 'delivery'], noNullPrototype: true },
) as Arbitrary<NewGift>;

const cursor: Arbitrary<Cursor> = fc.record({
  name: fc.constantFrom('starting_after', 'ending_before'),
  value: fc.oneof(
    { weight: 8, arbitrary: pick },
    { weight: 1, arbitrary: fc.constantFrom('', 'a b', 'gift_1', 'ord_1') },
  ),
});

const kind = fc.constantFrom('orders' as const, 'gifts' as const);

const call: Arbitrary<Call> = fc.oneof(
  { withCrossShrink: true },
  { weight: 1, arbitrary: fc.constant({ call: 'nothing' }) },
  { weight: 1, arbitrary: fc.constant({ call: 'categories' }) },
  {
    weight: 22,
    arbitrary: fc.record({
      call: fc.constant('order'),
      gifts: fc.array(gift, { minLength: 1, maxLength: 4, size: 'max' }),
      key: fc.nat({ max: 60 }),
    }),
  },
  { weight: 6, arbitrary: fc.record({ call: fc.constant('replay'), pick, isChanged: fc.boolean() }) },
  { weight: 14, arbitrary: fc.record({ call: fc.constant('retrieve'), kind, pick }) },
  {
    weight: 14,
    arbitrary: fc.record({
      call: fc.constant('list'),
      kind,
      limit: often([undefined, undefined, '1', '2', '3', '100'], '101'),
      cursors: fc.oneof(
        { weight: 12, arbitrary: fc.array(cursor, { maxLength: 1 }) },
        { weight: 1, arbitrary: fc.tuple(cursor, cursor) },
      ),
    }),
  },
  {
    weight: 10,
    arbitrary: fc.record({
      call: fc.constant('redirect'),
      pick,
      isOfFailed: fc.boolean(),
      to: delivery,
      times: fc.constantFrom(1, 1, 1, 7),
    }),
  },
  {
    weight: 18,
    arbitrary: fc.record({
      call: fc.constant('simulate'),
      act: fc.constantFrom('deliver', 'fail', 'open', 'claim', 'spend'),
      pick,
    }),
  },
  { weight: 1, arbitrary: fc.constant({ call: 'reset' }) },
  { weight: 4, arbitrary: fc.record({ call: fc.constant('fund'), cents: fc.constantFrom(1000, 30_000, 200_000) }) },
  { weight: 2, arbitrary: fc.record({ call: fc.constant('member'), isActive: fc.constantFrom(true, true, false) }) },
  { weight: 5, arbitrary: fc.record({ call: fc.constant('wait'), ms: fc.constantFrom(1, 1000, 20_000, 70_000) }) },
) as Arbitrary<Call>;

export const CALLS_PER_SEQUENCE = 50;

export interface Sequence {
  calls: ScopedCall[];
  /** One process, or two alternating. */
  processes: 1 | 2;
}

const scopedCall: Arbitrary<ScopedCall> = fc
  .tuple(call, fc.nat({ max: 7 }))
  .map(([one, number]) => ({ ...one, isLive: number === 7 }));

/** Draws sequences. A tuple lets each call shrink by itself. */
export const sequencesOf = (length: number): Arbitrary<Sequence> =>
  fc.record({
    calls: fc.tuple(...Array.from({ length }, () => scopedCall)),
    processes: fc.constantFrom(1 as const, 2 as const),
  });
