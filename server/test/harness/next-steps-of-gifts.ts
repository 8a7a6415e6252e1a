import assert from 'node:assert/strict';
import { deleteSandbox } from '../../src/capabilities/erasure/delete-sandbox.ts';
import { holdGifts } from '../../src/core/organizations/hold-gifts.ts';
import { suspendOrganization } from '../../src/core/organizations/suspend-organization.ts';
import { emailGift, gift, linkGift } from './api-client.ts';
import { type ErrorRow, GIFT_CENTS, give } from './next-steps.ts';
import { OPERATOR } from './operator.ts';

const waitingGift = () =>
  gift({ delivery: { method: 'email', email: 'delivered@sandbox.gift.test' }, send_at: '2027-01-02T09:00:00Z' });
const elsewhere = { method: 'email', email: 'delivered@sandbox.gift.test' };

/** Errors about what was bought, and about the organization. */
export const errorsOfGifts: readonly ErrorRow[] = [
  {
    code: 'resource_missing',
    how: 'an id that was misread',
    async provoke(scene) {
      await give(scene, linkGift());
      return scene.agent.error('get_order', { order_id: 'ord_01k0fxw4mze6hv3tqx4d5s8r2n' });
    },
    says: /^Use an id from list_orders, .* does not show that nothing was bought\.$/,
    async follow({ agent }) {
      const { data } = await agent.ok('list_orders');
      await agent.ok('get_order', { order_id: data[0].order_id });
    },
    bought: GIFT_CENTS,
  },
  {
    code: 'cursor_invalid',
    how: 'the cursor of another list',
    provoke: ({ agent }) => agent.error('list_gifts', { starting_after: 'gift_01k0fxw4mzejhtt6k1sqh3p5cg' }),
    says: /^Start again without the cursor/,
    follow: ({ agent }) => agent.ok('list_gifts'),
    bought: 0,
  },
  {
    code: 'gift_already_redeemed',
    how: 'the recipient claimed the gift before it is canceled',
    provoke: async (scene) => scene.agent.error('cancel_gift', { gift_id: await give(scene, emailGift('claimed')) }),
    says: /^Do nothing\. The recipient has claimed the gift\.$/,
    bought: GIFT_CENTS,
  },
  {
    code: 'gift_delivery_not_updatable',
    how: 'a redirect is repeated after its answer was lost',
    async provoke(scene) {
      const redirect = { gift_id: await give(scene, emailGift('bounced')), delivery: elsewhere };
      scene.given = { ...(await scene.agent.ok('redirect_gift', redirect)) };
      return scene.agent.error('redirect_gift', redirect);
    },
    says: /^Call get_gift\. If its delivery has the address that you want, an earlier call had its effect: do nothing\./,
    async follow({ agent, given }) {
      const { gift_id } = given as { gift_id: string };
      const { history, ...found } = await agent.ok('get_gift', { gift_id });
      assert.equal(found.delivery.email, elsewhere.email);
      assert.deepEqual([found, history.state], [given, 'delivered']);
    },
    bought: GIFT_CENTS,
  },
  {
    code: 'gift_resend_limit_reached',
    how: 'a gift is sent again too often',
    async provoke(scene) {
      const gift_id = await give(scene, emailGift('delivered'));
      for (let time = 1; time <= 5; time += 1) await scene.agent.ok('resend_gift', { gift_id });
      return scene.agent.error('resend_gift', { gift_id });
    },
    says: /^Stop sending this gift, and tell the person/,
    bought: GIFT_CENTS,
  },
  {
    code: 'gift_canceled',
    how: 'a canceled gift is sent again',
    async provoke(scene) {
      const gift_id = await give(scene, emailGift('delivered'));
      await scene.agent.ok('cancel_gift', { gift_id });
      return scene.agent.error('resend_gift', { gift_id });
    },
    says: /^Do nothing\. The amount is back in the balance\. Ask the person before you order another gift\.$/,
    bought: 0,
  },
  {
    code: 'gift_scheduled',
    how: 'a gift that waits is sent again',
    async provoke(scene) {
      const gift_id = await give(scene, waitingGift());
      scene.given = { gift_id };
      return scene.agent.error('resend_gift', { gift_id });
    },
    says: /call schedule_gift with the present time to send the gift now\.$/,
    async follow({ service, agent, given }) {
      const send_at = new Date(service.clock.now()).toISOString();
      assert.ok((await agent.ok('schedule_gift', { ...given, send_at })).last_sent_at);
    },
    bought: GIFT_CENTS,
  },
  {
    code: 'gift_not_scheduled',
    how: 'a gift that was sent is scheduled',
    async provoke(scene) {
      const gift_id = await give(scene, emailGift('delivered'));
      scene.given = { gift_id };
      return scene.agent.error('schedule_gift', { gift_id, send_at: '2027-01-02T09:00:00Z' });
    },
    says: /^Do nothing\. Call get_gift: the gift was sent already/,
    follow: async ({ agent, given }) => assert.ok((await agent.ok('get_gift', given)).last_sent_at),
    bought: GIFT_CENTS,
  },
  {
    code: 'gift_on_hold',
    how: 'the gifts of the organization are on hold',
    async provoke(scene) {
      const gift_id = await give(scene, emailGift('delivered'));
      const { organizationId } = scene.organization;
      await holdGifts(scene.service.service.deps, { organizationId, actor: OPERATOR });
      return scene.agent.error('resend_gift', { gift_id });
    },
    says: /^Tell the person: an admin of the organization or the operator must act first\.$/,
    bought: GIFT_CENTS,
  },
  {
    code: 'idempotency_key_reused',
    how: 'one key for two gifts',
    async provoke(scene) {
      const [first, second] = [await give(scene, emailGift('delivered')), await give(scene, emailGift('opened'))];
      await scene.agent.ok('resend_gift', { gift_id: first, idempotency_key: 'one' });
      scene.given = { gift_id: second };
      return scene.agent.error('resend_gift', { gift_id: second, idempotency_key: 'one' });
    },
    says: /^Call get_gift to see what the earlier call .* Use another key only for another act\.$/,
    async follow({ agent, given }) {
      await agent.ok('get_gift', given);
      for (let time = 1; time <= 2; time += 1) await agent.ok('resend_gift', { ...given, idempotency_key: 'two' });
    },
    bought: 2 * GIFT_CENTS,
  },
  {
    code: 'organization_suspended',
    how: 'the operator suspends the organization',
    async provoke({ service, organization: { organizationId }, agent }) {
      await suspendOrganization(service.service.deps, { organizationId, actor: OPERATOR });
      return agent.error('preview_order', { gifts: [linkGift()] });
    },
    says: /^Stop, and tell the person/,
    bought: 0,
  },
  {
    code: 'sandbox_missing',
    how: 'the sandbox is deleted',
    async provoke({ service, organization: { organizationId }, agent }) {
      await deleteSandbox(service.service.deps, { organizationId, actor: OPERATOR });
      return agent.error('preview_order', { gifts: [linkGift()] });
    },
    says: /^Ask an admin of the organization to create the sandbox/,
    bought: 0,
  },
];
