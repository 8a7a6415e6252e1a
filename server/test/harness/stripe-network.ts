import assert from 'node:assert/strict';
import type { Network } from '../capabilities/issuers/scenarios/network.ts';
import type { Json } from '../capabilities/stripe/account.ts';
import type { Operation } from '../capabilities/stripe/operations.ts';
import type { Stripe } from '../capabilities/stripe/server.ts';

const operations = {
  issue: 'POST /v1/issuing/cards',
  activate: 'POST /v1/issuing/cards/{card}',
} as const satisfies Record<string, Operation>;

/** More than a scenario's calls. */
const MANY = 20;

/** The network behind a gift's card at the fake of Stripe. */
export function stripeNetwork({ account, faults, network, webhooks }: Stripe, giftId: string): Network {
  const holds = new Map<string, Json>();
  const disputes = new Map<string, Json>();
  const card = () => account.all('issuing.card', ({ metadata }) => metadata.gift === giftId).at(-1);

  return {
    async play(step) {
      switch (step.do) {
        case 'authorize': {
          const { answer, authorization } = await network.authorize(card(), step.amount);
          holds.set(step.hold, authorization);
          return answer;
        }
        case 'increment':
          return network.increment(holds.get(step.hold), step.amount);
        case 'repeat':
          return network.repeat();
        case 'reverse':
          network.reverse(holds.get(step.hold), step.amount);
          return undefined;
        case 'capture':
          network.capture(holds.get(step.hold), step.amount, step.more !== true);
          return undefined;
        case 'force':
          network.force(card(), step.amount);
          return undefined;
        case 'refund':
          network.refund(card(), step.amount);
          return undefined;
        case 'dispute': {
          const { id, amount, outcome } = step;
          const capture = account.all('issuing.transaction', (one) => one.card === card().id).at(-1);
          if (!disputes.has(id)) disputes.set(id, network.dispute(capture, amount));
          if (outcome !== 'open') network.endDispute(disputes.get(id), outcome);
          return undefined;
        }
        case 'close':
          network.cancel(card());
          return undefined;
      }
    },
    fail(call, when) {
      const kind = when === 'before' ? 'answer 500' : 'lose the answer';
      faults.push(...Array.from({ length: MANY }, () => ({ operation: operations[call], kind }) as const));
    },
    recover() {
      faults.length = 0;
    },
    async deliver(delivery) {
      if (delivery === 'reversed') webhooks.waiting.reverse();
      const sent = await webhooks.deliver({
        copies: delivery === 'doubled' ? 2 : 1,
        loses: () => delivery === 'lost',
      });
      for (const { status } of sent) assert.equal(status, 200);
    },
  };
}
