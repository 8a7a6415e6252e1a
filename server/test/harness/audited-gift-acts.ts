import { recordFound } from '../../src/capabilities/finder/record-found.ts';
import { findEverywhere } from '../../src/capabilities/gift-search/find-everywhere.ts';
import { cancelGift } from '../../src/core/gifts/cancel/cancel-gift.ts';
import { holdGift, releaseGift } from '../../src/core/gifts/hold/hold-gift.ts';
import { scheduleGift } from '../../src/core/gifts/schedule/schedule-gift.ts';
import { replaceLink, resendGift } from '../../src/core/gifts/send/send-again.ts';
import { type MemberBuyer, memberBuyer } from '../../src/core/orders/buyer.ts';
import { cancelOrder } from '../../src/core/orders/cancel-order.ts';
import { placeOrder } from '../../src/core/orders/place-order.ts';
import { holdGifts, releaseGifts } from '../../src/core/organizations/hold-gifts.ts';
import { setProgram } from '../../src/core/organizations/set-program.ts';
import { admitted } from '../../src/platform/authentication/caller.ts';
import { decodeId } from '../../src/platform/base/ids.ts';
import { emailGift } from './api-client.ts';
import { type AuditedAct, ofOrganization } from './audited-member-acts.ts';
import { OPERATOR } from './operator.ts';
import type { TestOrganization } from './test-service.ts';

type HoldAction =
  | 'program.set'
  | 'gift.canceled'
  | 'order.placed'
  | 'order.canceled'
  | 'gift.link_replaced'
  | 'gift.resent'
  | 'gift.rescheduled'
  | 'gift.held'
  | 'gift.released'
  | 'gifts.found'
  | 'gifts.looked_up'
  | 'gifts.held'
  | 'gifts.released';

async function orderGift({ sandbox }: TestOrganization, localPart: string): Promise<string> {
  return (await sandbox.order([emailGift(localPart)])).body.gifts[0].gift_id;
}

const giftUuid = (id: string) => decodeId('gift', id) ?? '';
const sandboxOf = (organizationId: string) => admitted({ organizationId, environment: 'sandbox' });
const giftOf = ({ organizationUuid: organizationId }: TestOrganization, giftId: string) => ({
  scope: { organizationId, environment: 'sandbox' as const },
  giftId: giftUuid(giftId),
});

/** Cancellations, holds and new links. */
export const auditedHoldActs: { [Name in HoldAction]: AuditedAct } = {
  'gift.canceled': {
    prepare: (_deps, organization) => orderGift(organization, 'someone'),
    act: (deps, { organizationUuid }, actor, giftId) =>
      cancelGift(deps, sandboxOf(organizationUuid), { giftId: giftUuid(giftId), reason: 'Ordered twice', actor }),
    target: 'prepared',
    environment: 'sandbox',
    sentence: 'Canceled a gift: 25.00 USD returned to the balance (Ordered twice)',
  },
  'order.placed': {
    act: (deps, { organizationUuid: organizationId }, actor) =>
      placeOrder(
        deps,
        memberBuyer({ organizationId, environment: 'sandbox' }, actor as MemberBuyer['member']),
        'portal-1',
        { gifts: [{ amount: 2500, category: 'coffee', delivery: { method: 'link' } }] },
        undefined,
      ),
    target: 'ord_',
    only: 'member',
    environment: 'sandbox',
    sentence: 'Sent 1 gift for 25.00 USD',
  },
  'order.canceled': {
    prepare: async (_deps, { sandbox }) =>
      (await sandbox.order([emailGift('someone'), emailGift('claimed')])).body.order_id,
    act: (deps, { organizationUuid }, actor, orderId) =>
      cancelOrder(deps, sandboxOf(organizationUuid), {
        orderId: decodeId('ord', orderId) ?? '',
        reason: undefined,
        actor,
      }),
    target: 'prepared',
    environment: 'sandbox',
    sentence: 'Canceled 1 gift of an order: 25.00 USD returned to the balance',
  },
  'gifts.found': {
    act: (deps, { organizationUuid }) => recordFound(deps, organizationUuid, 2),
    ...ofOrganization,
    environment: 'live',
    sentence: 'Saw 2 gifts after a code to the address',
    by: 'the recipient',
    only: 'operator',
    isRepeatable: true,
  },
  'gifts.looked_up': {
    prepare: (_deps, organization) => orderGift(organization, 'looked-up'),
    act: (deps, _organization, actor) =>
      findEverywhere(deps, { query: 'Looked-Up@sandbox.gift.test', actor, limit: 10 }),
    ...ofOrganization,
    sentence: 'Looked 1 gift up by a recipient’s address',
    only: 'operator',
    isRepeatable: true,
  },
  'program.set': {
    act: (deps, { organizationId }, actor) =>
      setProgram(deps, { organizationId, program: 'award', unclaimedAfterDays: 365, reminderDays: [21, 7], actor }),
    ...ofOrganization,
    sentence: 'Set that gifts of later orders (program “award”) expire after 365 days, with reminders after 7, 21 days',
  },
  'gifts.held': {
    act: (deps, { organizationId }, actor) => holdGifts(deps, { organizationId, actor }),
    ...ofOrganization,
    sentence: 'Put all unclaimed gifts on hold',
  },
  'gifts.released': {
    async prepare(deps, { organizationId }) {
      await holdGifts(deps, { organizationId, actor: OPERATOR });
      return undefined;
    },
    act: (deps, { organizationId }, actor) => releaseGifts(deps, { organizationId, actor }),
    ...ofOrganization,
    sentence: 'Ended the hold of all unclaimed gifts',
  },
  'gift.link_replaced': {
    prepare: (_deps, organization) => orderGift(organization, 'someone'),
    act: (deps, { organizationUuid }, actor, giftId) =>
      replaceLink(deps, sandboxOf(organizationUuid), { giftId: giftUuid(giftId), actor }),
    target: 'prepared',
    environment: 'sandbox',
    sentence: 'Replaced the link of a gift',
    isRepeatable: true,
  },
  'gift.resent': {
    prepare: (_deps, organization) => orderGift(organization, 'someone'),
    act: (deps, { organizationUuid }, actor, giftId) =>
      resendGift(deps, sandboxOf(organizationUuid), { giftId: giftUuid(giftId), actor }),
    target: 'prepared',
    environment: 'sandbox',
    sentence: 'Sent a gift again to its address',
    isRepeatable: true,
  },
  'gift.rescheduled': {
    async prepare(_deps, { sandbox }) {
      const send_at = '2027-01-02T09:00:00Z';
      return (await sandbox.order([{ ...emailGift('someone'), send_at }])).body.gifts[0].gift_id;
    },
    act: (deps, { organizationUuid }, actor, giftId) =>
      scheduleGift(deps, sandboxOf(organizationUuid), {
        giftId: giftUuid(giftId),
        sendAt: '2027-02-03T10:00:00+01:00',
        actor,
      }),
    target: 'prepared',
    environment: 'sandbox',
    sentence: 'Changed when a gift is sent to 2027-02-03T09:00:00.000Z',
    isRepeatable: true,
  },
  'gift.held': {
    prepare: (_deps, organization) => orderGift(organization, 'someone'),
    act: (deps, organization, actor, giftId) => holdGift(deps, { ...giftOf(organization, giftId), actor }),
    target: 'prepared',
    environment: 'sandbox',
    sentence: 'Put a gift on hold',
  },
  'gift.released': {
    async prepare(deps, organization) {
      const giftId = await orderGift(organization, 'someone');
      await holdGift(deps, { ...giftOf(organization, giftId), actor: OPERATOR });
      return giftId;
    },
    act: (deps, organization, actor, giftId) => releaseGift(deps, { ...giftOf(organization, giftId), actor }),
    target: 'prepared',
    environment: 'sandbox',
    sentence: 'Ended the hold of a gift',
  },
};
