import type { AddRoute } from '../api/operation.ts';
import { idParameter, requireId } from '../api/require-id.ts';
import { refTo } from '../api/schema.ts';
import type { Deps } from '../deps.ts';
import { principalOf } from '../http/request-context.ts';
import { PageQuery, parsePageRequest } from '../paging/page-query.ts';
import { createAnswerSteering } from '../sandbox/steer-answer.ts';
import { steer } from '../sandbox/steering.ts';
import { destination } from './address.ts';
import { giftExample } from './examples.ts';
import { listGifts } from './list-gifts.ts';
import { presentGift } from './present-gift.ts';
import { redirectGift } from './redirect-gift.ts';
import { retrieveGift } from './retrieve-gift.ts';
import { Gift, GiftList, Redirect } from './schema.ts';

const params = idParameter('gift_id', 'The gift’s id.', giftExample.gift_id);

export function giftRoutes(addRoute: AddRoute, deps: Deps): void {
  addListRoute(addRoute, deps);
  addRetrieveRoute(addRoute, deps);
  addRedirectRoute(addRoute, deps);
}

function addListRoute(addRoute: AddRoute, deps: Deps): void {
  addRoute(
    {
      method: 'GET',
      path: '/v1/gifts',
      operationId: 'listGifts',
      tag: 'Gifts',
      summary: 'List gifts',
      description:
        'All gifts of the organization in this environment, most recent purchase first. Lists also show expired redemption links; retrieve a single gift to renew its link.',
      access: 'key',
      provesKey: true,
      query: PageQuery,
      response: refTo(GiftList),
      answers: {
        200: { description: 'A page of gifts.', example: { object: 'list', data: [giftExample], has_more: false } },
      },
      errors: ['parameter_invalid', 'cursor_invalid'],
    },
    ({ request, reply }) => {
      const page = parsePageRequest(request.query);
      return request.withProvenKey(reply, async (principal, keyToProve) => {
        const { rows, hasMore } = await listGifts(deps, principal, page, keyToProve);
        return {
          object: 'list' as const,
          data: rows.map((gift) => presentGift(deps.links, principal, gift)),
          has_more: hasMore,
        };
      });
    },
  );
}

function addRetrieveRoute(addRoute: AddRoute, deps: Deps): void {
  addRoute(
    {
      method: 'GET',
      path: '/v1/gifts/{gift_id}',
      operationId: 'retrieveGift',
      tag: 'Gifts',
      summary: 'Retrieve a gift',
      description: 'One gift and its status. An expired link of a link gift is renewed.',
      access: 'key',
      provesKey: true,
      params,
      response: refTo(Gift),
      answers: { 200: { description: 'The gift.', example: giftExample } },
      errors: ['resource_missing', 'resource_locked'],
    },
    ({ params: { gift_id }, request, reply }) => {
      const giftId = requireId('gift', gift_id);
      return request.withProvenKey(reply, async (principal, keyToProve) => {
        const gift = await retrieveGift(deps, principal, giftId, keyToProve);
        return presentGift(deps.links, principal, gift);
      });
    },
  );
}

function addRedirectRoute(addRoute: AddRoute, deps: Deps): void {
  const steerAnswer = createAnswerSteering(deps);
  addRoute(
    {
      method: 'PUT',
      path: '/v1/gifts/{gift_id}/delivery',
      operationId: 'redirectGift',
      tag: 'Gifts',
      summary: 'Send a gift to another address',
      description:
        'Sends a gift whose delivery failed to a different address. Links in earlier messages stop working, because the wrong person may have them. A gift can be redirected five times, unless the operator has set another number. In the sandbox the new address steers the gift, as in an order.',
      access: 'key',
      params,
      body: refTo(Redirect),
      bodyExamples: {
        email: { summary: 'By email', value: { method: 'email', email: 'delivered@sandbox.gift.test' } },
        phone: { summary: 'By phone', value: { method: 'phone', phone: '+1 (202) 555-0100' } },
      },
      response: refTo(Gift),
      answers: { 200: { description: 'The gift, sent again.', example: giftExample } },
      errors: [
        'resource_missing',
        'request_body_invalid',
        'request_body_too_large',
        'parameter_invalid',
        'gift_delivery_not_updatable',
        'gift_resend_limit_reached',
        'resource_locked',
      ],
      isMockable: true,
    },
    async ({ params: { gift_id }, body, request }) => {
      const principal = principalOf(request);
      const giftId = requireId('gift', gift_id);
      const gift = await redirectGift(deps, principal, { giftId, body, actor: { kind: 'key' } });
      await steerAnswer([steer(principal.environment, deps.config.sandboxMailDomain, destination(body))]);
      return presentGift(deps.links, principal, gift);
    },
  );
}
