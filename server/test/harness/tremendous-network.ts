import assert from 'node:assert/strict';
import { encodeId } from '../../src/platform/base/ids.ts';
import type { Network } from '../capabilities/issuers/scenarios/network.ts';
import type { FakeTremendous } from '../capabilities/tremendous/server.ts';

/** What an operator sets for this account. */
export const tremendousSettings = ({ apiKey, webhookSecret, url }: FakeTremendous) => ({
  api_key: apiKey,
  webhook_secret: webhookSecret,
  campaign: 'CAMPALL',
  api_base: url,
});

/** The orders of a gift's claims. */
export const ordersOf = ({ state }: FakeTremendous, giftId: string) =>
  [...state.orders.values()].filter(({ external_id }) => external_id?.startsWith(`${encodeId('gift', giftId)}-`));

/** What can happen to a gift's reward at the fake of Tremendous. @param eventsUrl where its webhooks go */
export function tremendousNetwork(tremendous: FakeTremendous, eventsUrl: string, giftId: string): Network {
  const { network } = tremendous;
  const rewardId = () => ordersOf(tremendous, giftId)[0]?.rewards[0].id ?? '';
  return {
    isAsked: true,
    async play(step) {
      if (step.do === 'force') network.redeem(rewardId());
      else if (step.do === 'close') network.cancel(rewardId());
      else throw new Error(`A link cannot ${step.do}.`);
      return undefined;
    },
    fail(call, when) {
      assert.equal(call, 'issue');
      tremendous.fault = { call: 'POST /orders', when };
    },
    recover() {
      tremendous.fault = undefined;
    },
    async deliver(delivery) {
      if (delivery === 'reversed') network.waiting.reverse();
      if (delivery === 'lost') network.waiting.length = 0;
      for (const status of await network.deliver(delivery === 'doubled' ? 2 : 1, eventsUrl)) assert.equal(status, 200);
    },
  };
}
