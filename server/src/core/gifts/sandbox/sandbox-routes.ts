import { type Static, Type } from 'typebox';
import type { AddRoute } from '../../../platform/api/operation.ts';
import { idParameter, requireId } from '../../../platform/api/require-id.ts';
import { refTo } from '../../../platform/api/schema.ts';
import { callerOf } from '../../../platform/authentication/caller.ts';
import type { ErrorCode } from '../../../platform/base/errors.ts';
import type { Deps } from '../../deps.ts';
import { afterChange, answerGift } from '../expand/answer-gift.ts';
import { expandQuery, readExpand } from '../expand/expand-query.ts';
import { withContractCodes } from '../gift/contract-codes.ts';
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
  /** For what other doors did to the gift. */
  codes: Parameters<typeof withContractCodes>[0];
  errors: readonly ErrorCode[];
  isSentOnce?: true;
}

const simulations: readonly SimulationRoute[] = [
  {
    path: 'deliver',
    operationId: 'simulateDelivery',
    summary: 'Settle a delivery',
    description:
      'Settles the pending delivery of an email or phone gift as delivered (the default, also without a body) or failed. A failed gift can be redirected.',
    status: 'sent',
    codes: { gift_canceled: 'gift_already_delivered', gift_scheduled: 'gift_delivery_not_simulatable' },
    errors: ['gift_delivery_not_simulatable', 'gift_already_delivered'],
    isSentOnce: true,
  },
  {
    path: 'open',
    operationId: 'simulateOpen',
    summary: 'Open a gift',
    description: 'Stamps the gift as opened, once. A claimed gift still shows `claimed`.',
    status: 'opened',
    codes: { gift_canceled: 'gift_already_redeemed', gift_scheduled: 'gift_delivery_not_simulatable' },
    errors: ['gift_already_redeemed', 'gift_delivery_not_simulatable'],
  },
  {
    path: 'claim',
    operationId: 'simulateClaim',
    summary: 'Claim a gift',
    description: 'Redeems the gift onto a card, once. This also opens an unopened gift.',
    status: 'claimed',
    codes: {
      gift_canceled: 'gift_already_redeemed',
      gift_scheduled: 'gift_already_redeemed',
      gift_on_hold: 'gift_already_redeemed',
    },
    errors: ['gift_already_redeemed'],
    isSentOnce: true,
  },
  {
    path: 'spend',
    operationId: 'simulateSpend',
    summary: 'Spend a gift',
    description: 'Spends the rest of the gift’s card. Repeating it changes nothing.',
    status: 'claimed',
    codes: { gift_canceled: 'gift_not_claimed', gift_on_hold: 'gift_not_claimed' },
    errors: ['gift_not_claimed'],
  },
];

const outcomeBody = {
  body: refTo(DeliveryOutcome),
  isBodyOptional: true,
  bodyExamples: { failed: { summary: 'It fails', value: { outcome: 'failed' } } },
} as const;

export function sandboxRoutes(addRoute: AddRoute, deps: Deps): void {
  for (const { path, operationId, summary, description, status, codes, errors, isSentOnce } of simulations)
    addRoute(
      {
        method: 'POST',
        path: `/v1/sandbox/gifts/{gift_id}/${path}`,
        operationId,
        tag: 'Sandbox',
        summary,
        description,
        access: 'sandbox',
        ...(isSentOnce && { isSentOnce }),
        params: idParameter('gift_id', 'The gift’s id.', giftExample.gift_id),
        query: Type.Object(expandQuery),
        ...(path === 'deliver' ? outcomeBody : {}),
        response: refTo(Gift),
        answers: {
          200: {
            description: 'The updated gift.',
            example: { ...giftExample, delivery: { ...giftExample.delivery, status } },
          },
        },
        errors: ['resource_missing', 'parameter_invalid', 'resource_locked', ...errors],
      },
      async ({ params, body, request }) => {
        const caller = callerOf(request);
        const expand = readExpand(request.query);
        const { outcome } = (body ?? {}) as Static<typeof DeliveryOutcome>;
        const simulating = simulateGift(deps, {
          caller,
          giftId: requireId('gift', params.gift_id),
          simulation: path === 'deliver' && outcome === 'failed' ? 'fail' : path,
          actor: { kind: 'key' },
        });
        const gift = await withContractCodes(codes, simulating);
        return afterChange(answerGift(deps, caller, expand, gift));
      },
    );
}
