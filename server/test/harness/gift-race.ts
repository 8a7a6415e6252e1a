import assert from 'node:assert/strict';
import { announceExpiry } from '../../src/core/gifts/cancel/announce-expiry.ts';
import { expireGifts } from '../../src/core/gifts/cancel/expire-gifts.ts';
import { holdGift } from '../../src/core/gifts/hold/hold-gift.ts';
import { setProgram } from '../../src/core/organizations/set-program.ts';
import { BestowError } from '../../src/platform/base/errors.ts';
import { decodeId } from '../../src/platform/base/ids.ts';
import type { AllDeps } from '../../src/surfaces/deps.ts';
import { type ApiClient, emailGift, linkGift } from './api-client.ts';
import { balanceOf } from './ledger.ts';
import { OPERATOR } from './operator.ts';
import type { TestOrganization, TestService } from './test-service.ts';

export const CALLERS = 100;
export const FUNDS = 1_000_000;

/** A process of the service: its API, and the acts of its jobs and of the operator. */
export interface Caller {
  api(key: string): ApiClient;
  deps: AllDeps;
}

type Processes = readonly [Caller, Caller];
export type Winner = 'claimed' | 'canceled' | 'expired';

/** A gift that a hundred callers act on. */
interface Raced {
  organization: TestOrganization;
  orderId: string;
  giftId: string;
}

interface Outcome {
  kind: keyof typeof acts;
  status: number;
  code?: string | undefined;
}

type Call = (from: Caller, raced: Raced) => Promise<{ status: number; code?: string | undefined }>;

const over =
  (call: (client: ApiClient, raced: Raced) => Promise<{ status: number; body: { error?: { code: string } } }>): Call =>
  async ({ api }, raced) => {
    const { status, body } = await call(api(raced.organization.keys.sandbox), raced);
    return { status, code: body.error?.code };
  };

const acts = {
  cancel: over((client, { giftId }) => client.post(`/v1/gifts/${giftId}/cancel`)),
  cancelOrder: over((client, { orderId }) => client.post(`/v1/orders/${orderId}/cancel`)),
  claim: over((client, { giftId }) => client.post(`/v1/sandbox/gifts/${giftId}/claim`)),
  redirect: over((client, { giftId }) =>
    client.put(`/v1/gifts/${giftId}/delivery`, { method: 'email', email: 'bounced@sandbox.gift.test' }),
  ),
  link: over((client, { giftId }) => client.post(`/v1/gifts/${giftId}/link`)),
  order: over((client) => client.order([linkGift(1000)])),
  async expire({ deps }: Caller) {
    await expireGifts(deps);
    return { status: 200, code: undefined };
  },
  async hold({ deps }: Caller, { organization, giftId }: Raced) {
    const scope = { organizationId: organization.organizationUuid, environment: 'sandbox' } as const;
    try {
      await holdGift(deps, { scope, giftId: decodeId('gift', giftId) ?? '', actor: OPERATOR });
      return { status: 200, code: undefined };
    } catch (error) {
      if (!(error instanceof BestowError)) throw error;
      return { status: error.status, code: error.code };
    }
  },
};

/** How many callers of each act; claims and cancellations come first as often. */
const callers = { cancel: 24, cancelOrder: 8, claim: 35, expire: 8, redirect: 8, link: 8, order: 6, hold: 3 } as const;

const REFUSALS = [
  'gift_already_redeemed',
  'gift_canceled',
  'gift_delivery_not_updatable',
  'gift_on_hold',
  'gift_resend_limit_reached',
  'parameter_invalid',
  'resource_locked',
];

/** All callers at once, mixed, over both processes. */
function race(processes: Processes, raced: Raced, round: number): Promise<Outcome[]> {
  const kinds = Object.entries(callers).flatMap(([kind, count]) =>
    Array<Outcome['kind']>(count).fill(kind as Outcome['kind']),
  );
  assert.equal(kinds.length, CALLERS);
  // 37 and 100 have no common divisor, so every caller comes once.
  const mixed = kinds.map((_, n) => kinds[(n * 37 + round * 13) % CALLERS] as Outcome['kind']);
  return Promise.all(
    mixed.map(async (kind, n) => ({ kind, ...(await acts[kind](processes[n % 2 === 0 ? 0 : 1], raced)) })),
  );
}

/** A gift that failed, so that it can be redirected, and that a job may cancel because it has expired. */
async function expiredGift(service: TestService): Promise<Raced> {
  const pass = (days: number) => service.clock.setTime(service.clock.now() + days * 86_400_000);
  const organization = await service.organization({ sandbox: FUNDS });
  const { organizationId } = organization;
  const program = {
    organizationId,
    program: 'award',
    unclaimedAfterDays: 30,
    reminderDays: [],
    actor: OPERATOR,
  } as const;
  await setProgram(service.service.deps, program);
  const { body: order } = await organization.sandbox.order([emailGift('bounced')]);
  await pass(20);
  await announceExpiry(service.service.deps);
  await pass(20);
  return { organization, orderId: order.order_id, giftId: order.gifts[0].gift_id };
}

/**
 * Lets a hundred callers act on one gift at once, over two processes: one claim or one cancellation wins, and money in equals
 * money out. Returns the winner.
 *
 * @param service makes the gift; its clock is moved by 40 days
 * @throws AssertionError if it is not so
 */
export async function raceForGift(service: TestService, processes: Processes, round: number): Promise<Winner> {
  const raced = await expiredGift(service);
  const { organization } = raced;
  const outcomes = await race(processes, raced, round);
  const gift = (await organization.sandbox.get(`/v1/gifts/${raced.giftId}`)).body;
  const { cancellation } = gift;
  const winner: Winner =
    cancellation === undefined ? 'claimed' : cancellation.reason === 'expired' ? 'expired' : 'canceled';
  assert.equal(gift.delivery.status === 'claimed', winner === 'claimed', JSON.stringify(gift));
  const succeeded = (kind: Outcome['kind']) =>
    outcomes.filter((outcome) => outcome.kind === kind && outcome.status < 300).length;
  const told = `${winner}: ${JSON.stringify(outcomes)}`;
  assert.equal(succeeded('claim'), winner === 'claimed' ? 1 : 0, told);
  // Canceling an expired gift again is answered, too.
  assert.equal(succeeded('cancel') + succeeded('cancelOrder') === 0, winner === 'claimed', told);
  for (const { kind, status, code = '' } of outcomes)
    assert.ok(status < 300 || REFUSALS.includes(code), `${kind}: ${status} ${code}`);
  const paid = succeeded('order') * 1000 + (winner === 'claimed' ? 2500 : 0);
  assert.equal(await balanceOf(service, organization, 'sandbox'), FUNDS - paid);
  const facts = await service.sql<{ type: string }>(
    `select type from events where organization_id = $1 and environment = 'sandbox'
       and type in ('gift.claimed', 'gift.canceled', 'gift.expired') order by type`,
    [organization.organizationUuid],
  );
  assert.deepEqual(facts, [{ type: `gift.${winner}` }]);
  return winner;
}
