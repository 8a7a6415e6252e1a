import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { emailGift, linkGift } from './api-client.ts';
import { again, capDay, type ErrorRow, GIFT_CENTS, place, whileHeld } from './next-steps.ts';

const HOUR_MS = 3_600_000;

/** Errors about an order that an agent wants to place. */
export const errorsOfOrders: readonly ErrorRow[] = [
  {
    code: 'external_id_taken',
    how: 'an order with this external_id was placed before, and its answer was lost',
    async provoke(scene) {
      const { agent } = scene;
      const order = { gifts: [linkGift()], external_id: 'X' };
      await agent.ok('place_order', await agent.preview(order));
      return agent.error('preview_order', order);
    },
    says: /^Call get_order with order_id\. If it is the order that you want, it is bought: do not place another one\./,
    async follow({ agent }, { order_id }) {
      assert.equal((await agent.ok('get_order', { order_id })).external_id, 'X');
      assert.equal((await agent.ok('get_order', { external_id: 'X' })).order_id, order_id);
    },
    bought: GIFT_CENTS,
  },
  {
    code: 'external_id_taken',
    how: 'two agents placed it at once',
    async provoke(scene) {
      const { agent } = scene;
      const order = { gifts: [linkGift()], external_id: 'X' };
      const [first, second] = [await agent.preview(order), await agent.preview(order)];
      await agent.ok('place_order', first);
      return agent.error('place_order', second);
    },
    says: /^Call get_order with order_id\./,
    follow: ({ agent }, { order_id }) => agent.ok('get_order', { order_id }),
    bought: GIFT_CENTS,
  },
  {
    code: 'parameter_invalid',
    how: 'a token that was never used has expired',
    async provoke(scene) {
      const { agent } = scene;
      scene.given = await agent.preview({ gifts: [linkGift()] });
      await scene.service.clock.jump(HOUR_MS);
      return agent.error('place_order', scene.given);
    },
    says: /Otherwise call preview_order again and place the order with its token\.$/,
    follow: (scene) => place(scene, linkGift()),
    bought: GIFT_CENTS,
  },
  {
    code: 'parameter_invalid',
    how: 'a token that bought an order comes with another one',
    async provoke(scene) {
      const { agent } = scene;
      scene.given = await agent.preview({ gifts: [linkGift()] });
      await agent.ok('place_order', scene.given);
      return agent.error('place_order', { ...scene.given, gifts: [linkGift(), linkGift()] });
    },
    says: /^If the message names an order, call get_order with its id: it is bought/,
    async follow(scene, { message }) {
      const [order_id] = /ord_\w+/.exec(message) ?? [];
      await scene.agent.ok('get_order', { order_id });
      assert.equal((await again(scene)).order_id, order_id);
    },
    bought: GIFT_CENTS,
  },
  {
    code: 'parameter_invalid',
    how: 'the amount is too small',
    provoke: ({ agent }) => agent.error('preview_order', { gifts: [linkGift(999)] }),
    says: /^Correct the argument that param names\./,
    async follow(scene, { param }) {
      assert.equal(param, 'gifts[0].amount');
      await place(scene, linkGift());
    },
    bought: GIFT_CENTS,
  },
  {
    code: 'insufficient_balance',
    how: 'another order took the balance after the preview',
    async provoke(scene) {
      scene.given = await scene.agent.preview({ gifts: [linkGift()] });
      await place(scene, ...Array.from({ length: 10 }, () => linkGift(10_000)));
      return scene.agent.error('place_order', scene.given);
    },
    says: /^Ask a person to add funds\. Then call the tool again with the same arguments\.$/,
    async follow(scene) {
      await scene.organization.fund('sandbox', 100_000);
      await Promise.all([again(scene), again(scene)]);
    },
    bought: 100_000 + GIFT_CENTS,
  },
  {
    code: 'rate_limit_exceeded',
    how: 'there are too many requests',
    async provoke(scene) {
      scene.given = await scene.agent.preview({ gifts: [emailGift('rate-limited')] });
      return scene.agent.error('place_order', scene.given);
    },
    says: /^Wait retry_after_seconds, then call the tool again with the same arguments\.$/,
    async follow(scene, error) {
      assert.equal(error.retry_after_seconds, 1);
      await again(scene);
    },
    bought: GIFT_CENTS,
  },
  {
    code: 'insufficient_balance',
    how: 'a spending cap was set after the preview',
    async provoke(scene) {
      scene.given = await scene.agent.preview({ gifts: [linkGift()] });
      await capDay(scene, 1);
      return scene.agent.error('place_order', scene.given);
    },
    says: /^Tell the person what the message says: only an admin or the operator can raise it\./,
    async follow(scene) {
      await capDay(scene, GIFT_CENTS);
      await again(scene);
      await again(scene);
    },
    bought: GIFT_CENTS,
  },
  {
    code: 'resource_locked',
    how: 'another process holds the balance',
    async provoke(scene) {
      const { agent, organization } = scene;
      scene.given = await agent.preview({ gifts: [linkGift()] });
      const text = `select 1 from balances where organization_id = '${organization.organizationUuid}' for update`;
      return whileHeld(scene, text, () => agent.error('place_order', scene.given));
    },
    says: /^Wait a few seconds, then call the tool again with the same arguments\.$/,
    follow: again,
    bought: GIFT_CENTS,
  },
  {
    code: 'idempotency_in_progress',
    how: 'another process runs the same call',
    async provoke(scene) {
      const { agent, organization } = scene;
      const previewed = await agent.preview({ gifts: [linkGift()] });
      scene.given = previewed;
      const owner = `${organization.organizationUuid} sandbox ${previewed.preview_token}`;
      const lock = createHash('sha256').update(owner).digest().readBigInt64BE();
      const text = `select pg_advisory_xact_lock(${lock})`;
      return whileHeld(scene, text, () => agent.error('place_order', scene.given));
    },
    says: /^Wait a few seconds, then call the tool again/,
    follow: again,
    bought: GIFT_CENTS,
  },
  {
    code: 'internal_error',
    how: 'the recipient’s address of the sandbox asks for it',
    async provoke(scene) {
      const { agent } = scene;
      scene.given = await agent.preview({ gifts: [emailGift('internal-error')] });
      return agent.error('place_order', scene.given);
    },
    says: /call the tool again with the same arguments\. If it still fails, give the operator the request_id\.$/,
    follow: ({ agent, given }) => agent.error('place_order', given),
    bought: 0,
  },
  {
    code: 'organization_not_configured',
    how: 'no admin is active',
    async provoke(scene) {
      const { agent, organization } = scene;
      const { first, second } = await organization.addMembers();
      for (const member of [first, second]) await organization.deactivate(member);
      return agent.error('preview_order', { gifts: [linkGift()] });
    },
    says: /^Tell the person: an admin of the organization or the operator must act first\.$/,
    bought: 0,
  },
];
