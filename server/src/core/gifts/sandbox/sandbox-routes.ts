import type { Static } from 'typebox';
import type { AddRoute } from '../../../platform/api/operation.ts';
import { idParameter, requireId } from '../../../platform/api/require-id.ts';
import { refTo } from '../../../platform/api/schema.ts';
import { callerOf } from '../../../platform/authentication/caller.ts';
import type { ErrorCode } from '../../../platform/base/errors.ts';
import type { Deps } from '../../deps.ts';
import { presentGift } from '../gift/present-gift.ts';
import { Gift } from '../gift/schema.ts';
import { giftExample } from '../routes/examples.ts';
import { DeliveryOutcome } from './sandbox-schema.ts';
import { simulateGift } from './simulate-gift.ts';

interface SimulationRoute {
  path: 'deliver' | 'open' | 'claim' | 'spend';
  operationId: string;
  summary: string;
  description: string;
  /** For the OpenAPI example. */
  status: 'sent' | 'opened' | 'claimed';
  errors: readonly ErrorCode[];
}

const state = ['gift_canceled', 'gift_scheduled'] as const;

const simulations: readonly SimulationRoute[] = [
  {
    path: 'deliver',
    operationId: 'simulateDelivery',
    summary: 'Settle a delivery',
    description:
      'Settles the pending delivery of an email or phone gift as delivered (the default, also without a body) or failed. A failed gift can be redirected.',
    status: 'sent',
    errors: ['parameter_invalid', 'gift_delivery_not_simulatable', ...state, 'gift_already_delivered'],
  },
  {
    path: 'open',
    operationId: 'simulateOpen',
    summary: 'Open a gift',
    description: 'Stamps the gift as opened, once. A claimed gift still shows `claimed`.',
    status: 'opened',
    errors: state,
  },
  {
    path: 'claim',
    operationId: 'simulateClaim',
    summary: 'Claim a gift',
    description: 'Redeems the gift onto a card, once. This also opens an unopened gift.',
    status: 'claimed',
    errors: ['gift_already_redeemed', ...state, 'gift_on_hold'],
  },
  {
    path: 'spend',
    operationId: 'simulateSpend',
    summary: 'Spend a gift',
    description: 'Spends the rest of the gift’s card. Repeating it changes nothing.',
    status: 'claimed',
    errors: ['gift_not_claimed', 'gift_canceled', 'gift_on_hold'],
  },
];

const outcomeBody = {
  body: refTo(DeliveryOutcome),
  isBodyOptional: true,
  bodyExamples: { failed: { summary: 'It fails', value: { outcome: 'failed' } } },
} as const;

export function sandboxRoutes(addRoute: AddRoute, deps: Deps): void {
  for (const { path, operationId, summary, description, status, errors } of simulations)
    addRoute(
      {
        method: 'POST',
        path: `/v1/sandbox/gifts/{gift_id}/${path}`,
        operationId,
        tag: 'Sandbox',
        summary,
        description,
        access: 'sandbox',
        params: idParameter('gift_id', 'The gift’s id.', giftExample.gift_id),
        ...(path === 'deliver' ? outcomeBody : {}),
        response: refTo(Gift),
        answers: {
          200: {
            description: 'The updated gift.',
            example: { ...giftExample, delivery: { ...giftExample.delivery, status } },
          },
        },
        errors: ['resource_missing', 'resource_locked', ...errors],
      },
      async ({ params, body, request }) => {
        const caller = callerOf(request);
        const { outcome } = (body ?? {}) as Static<typeof DeliveryOutcome>;
        const gift = await simulateGift(deps, {
          caller,
          giftId: requireId('gift', params.gift_id),
          simulation: path === 'deliver' && outcome === 'failed' ? 'fail' : path,
          actor: { kind: 'key' },
        });
        return presentGift(deps.links, caller, gift);
      },
    );
}
