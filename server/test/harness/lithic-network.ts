import assert from 'node:assert/strict';
import type { Lithic } from 'lithic';
import { encodeId } from '../../src/platform/base/ids.ts';
import type { Network } from '../capabilities/issuers/scenarios/network.ts';
import type { FakeLithic } from '../capabilities/lithic/server.ts';

/** A recipient's answers to the form of a claim with Lithic. */
export const lithicForm = {
  first_name: 'Zoë',
  last_name: 'García',
  email: 'zoe@example.com',
  phone: '+14155550100',
  line1: '5 Broad Street',
  city: 'New York',
  state: 'ny',
  postal_code: '10001',
  terms: '2026-11-01',
};

/** What an operator sets for this program. */
export const lithicSettings = ({ apiKey, webhookSecret, asaSecret, url }: FakeLithic) => ({
  api_key: apiKey,
  webhook_secret: webhookSecret,
  asa_secret: asaSecret,
  terms_url: 'https://bank.example/terms',
  terms_version: lithicForm.terms,
  api_base: url,
});

const calls = { issue: 'POST /v1/cards', activate: 'PATCH /v1/cards' } as const;

/** The network behind a gift's card at the fake of Lithic. */
export function lithicNetwork(lithic: FakeLithic, giftId: string): Network {
  const { network, state } = lithic;
  const holds = new Map<string, Lithic.Transaction>();
  const card = (): Lithic.NonPCICard => {
    const found = [...state.cards.values()].find(({ memo = '' }) => memo.startsWith(encodeId('gift', giftId)));
    assert.ok(found);
    return found;
  };
  const hold = (name: string): Lithic.Transaction => {
    const found = holds.get(name);
    assert.ok(found);
    return found;
  };

  return {
    async play(step) {
      switch (step.do) {
        case 'authorize': {
          const { answer, transaction } = await network.authorize(card(), step.amount);
          holds.set(step.hold, transaction);
          return answer;
        }
        case 'increment':
          return network.increment(card(), hold(step.hold), step.amount);
        case 'repeat':
          return network.repeat();
        case 'reverse':
          network.reverse(hold(step.hold), step.amount);
          return undefined;
        case 'capture':
          network.capture(hold(step.hold), step.amount, step.more !== true);
          return undefined;
        case 'force':
          network.force(card(), step.amount);
          return undefined;
        case 'refund':
          network.refund(card(), step.amount);
          return undefined;
        case 'dispute':
          network.dispute(card(), `${giftId}${step.id}`, step.amount, step.outcome);
          return undefined;
        case 'close':
          network.close(card());
          return undefined;
      }
    },
    fail(call, when) {
      lithic.fault = { call: calls[call], when };
    },
    recover() {
      lithic.fault = undefined;
    },
    async deliver(delivery) {
      if (delivery === 'reversed') network.waiting.reverse();
      if (delivery === 'lost') network.waiting.length = 0;
      const statuses = await network.deliver(delivery === 'doubled' ? 2 : 1);
      for (const status of statuses) assert.equal(status, 200);
    },
  };
}
