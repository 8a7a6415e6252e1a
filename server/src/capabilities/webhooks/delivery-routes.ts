import { readTime } from 'bestow-readers/time.ts';
import { type Static, Type } from 'typebox';
import type { Deps } from '../../core/deps.ts';
import type { AddRoute } from '../../platform/api/operation.ts';
import { idParameter, requireId } from '../../platform/api/require-id.ts';
import { refTo } from '../../platform/api/schema.ts';
import { callerOf } from '../../platform/authentication/caller.ts';
import { BestowError } from '../../platform/base/errors.ts';
import {
  checkOptionalIdempotencyKey,
  OptionalIdempotencyKeyHeader,
  onceRequestOf,
  replayedHeader,
} from '../../platform/idempotency/key-header.ts';
import { PageQuery, parsePageRequest } from '../../platform/paging/page-query.ts';
import { deliveryExample, endpointExample } from './examples.ts';
import { listDeliveries } from './list-deliveries.ts';
import { resendDeliveries, resendDelivery } from './resend-deliveries.ts';
import * as schema from './schema.ts';
import type { Sender } from './send-push.ts';
import { testEndpoint } from './test-endpoint.ts';

const PATH = '/v1/webhook_endpoints/{endpoint_id}';
const params = idParameter('endpoint_id', 'The endpoint’s id.', endpointExample.endpoint_id);
const onceErrors = ['idempotency_key_reused', 'idempotency_in_progress'] as const;
const once = { preValidation: checkOptionalIdempotencyKey };

export function deliveryRoutes(addRoute: AddRoute, deps: Deps, sender: Sender): void {
  addTestRoute(addRoute, deps, sender);
  addListRoute(addRoute, deps);
  addResendRoute(addRoute, deps);
  addResendManyRoute(addRoute, deps);
}

function addTestRoute(addRoute: AddRoute, deps: Deps, sender: Sender): void {
  addRoute(
    {
      method: 'POST',
      path: `${PATH}/test`,
      operationId: 'testWebhookEndpoint',
      tag: 'Webhooks',
      summary: 'Try a webhook endpoint',
      description:
        'Pushes an event of the type `webhook.test` once, which is not in the feed, and returns the answer. It works for a disabled endpoint too, and changes nothing.',
      access: 'key',
      isSentOnce: true,
      params,
      response: refTo(schema.WebhookAttempt),
      answers: {
        200: {
          description: 'What the endpoint answered.',
          example: { status: 204, failure_reason: null, body: '', duration_ms: 84, accepted: true },
        },
      },
      errors: ['resource_missing'],
    },
    async ({ params: { endpoint_id }, request }) =>
      schema.presentAttempt(await testEndpoint(deps, sender, callerOf(request), requireId('wh', endpoint_id))),
  );
}

function addListRoute(addRoute: AddRoute, deps: Deps): void {
  addRoute(
    {
      method: 'GET',
      path: `${PATH}/deliveries`,
      operationId: 'listWebhookDeliveries',
      tag: 'Webhooks',
      summary: 'List the deliveries of a webhook endpoint',
      description: 'Each event that was pushed to the endpoint in the last 30 days, with every answer.',
      access: 'key',
      params,
      query: PageQuery,
      response: refTo(schema.WebhookDeliveryList),
      answers: {
        200: {
          description: 'A page of deliveries.',
          example: { object: 'list', data: [deliveryExample], has_more: false },
        },
      },
      errors: ['resource_missing', 'parameter_invalid', 'cursor_invalid'],
    },
    async ({ params: { endpoint_id }, request }) => {
      const endpointId = requireId('wh', endpoint_id);
      const page = parsePageRequest(request.query);
      const { rows, hasMore } = await listDeliveries(deps, callerOf(request), { endpointId, page });
      return { object: 'list' as const, data: rows.map(schema.presentDelivery), has_more: hasMore };
    },
  );
}

function addResendRoute(addRoute: AddRoute, deps: Deps): void {
  addRoute(
    {
      method: 'POST',
      path: `${PATH}/deliveries/{event_id}/resend`,
      operationId: 'resendWebhookDelivery',
      tag: 'Webhooks',
      summary: 'Send an event to a webhook endpoint again',
      description: 'Sends a delivery again, also one that was accepted, with ten tries.',
      access: 'key',
      params: Type.Object({
        ...params.properties,
        ...idParameter('event_id', 'The event’s id.', deliveryExample.event_id).properties,
      }),
      headers: OptionalIdempotencyKeyHeader,
      response: refTo(schema.ResendResult),
      answers: { 200: { description: 'It is sent again.', example: { resent: 1 }, headers: replayedHeader } },
      errors: ['resource_missing', 'parameter_invalid', ...onceErrors],
    },
    async ({ params: { endpoint_id, event_id }, request, reply }) => {
      const resend = {
        caller: callerOf(request),
        endpointId: requireId('wh', endpoint_id),
        once: onceRequestOf(request),
      };
      const { isReplay } = await resendDelivery(deps, resend, requireId('evt', event_id));
      if (isReplay) reply.header('Idempotent-Replayed', 'true');
      return { resent: isReplay ? 0 : 1 };
    },
    once,
  );
}

function addResendManyRoute(addRoute: AddRoute, deps: Deps): void {
  addRoute(
    {
      method: 'POST',
      path: `${PATH}/resend`,
      operationId: 'resendWebhookDeliveries',
      tag: 'Webhooks',
      summary: 'Send many events to a webhook endpoint again',
      description: 'Sends all failed deliveries again, or all deliveries of a time on.',
      access: 'key',
      params,
      headers: OptionalIdempotencyKeyHeader,
      body: refTo(schema.ResendInput),
      bodyExamples: {
        failed: { summary: 'All that failed', value: { failed: true } },
        from: { summary: 'From a time on', value: { from: '2026-11-21T12:00:00Z' } },
      },
      response: refTo(schema.ResendResult),
      answers: { 200: { description: 'They are sent again.', example: { resent: 12 }, headers: replayedHeader } },
      errors: ['resource_missing', 'parameter_invalid', ...onceErrors],
    },
    async ({ params: { endpoint_id }, body, request, reply }) => {
      const endpointId = requireId('wh', endpoint_id);
      const from = readFrom(body);
      const resend = { caller: callerOf(request), endpointId, once: onceRequestOf(request) };
      const { count, isReplay } = await resendDeliveries(deps, resend, from);
      if (isReplay) reply.header('Idempotent-Replayed', 'true');
      return { resent: count };
    },
    once,
  );
}

/** @throws BestowError `parameter_invalid` */
function readFrom({ failed, from }: Static<typeof schema.ResendInput>): Date | undefined {
  if ((failed === undefined) === (from === undefined))
    throw new BestowError('parameter_invalid', { param: 'failed', message: 'Send either failed or from.' });
  if (from === undefined) return undefined;
  const time = readTime(from);
  if (time === undefined)
    throw new BestowError('parameter_invalid', { param: 'from', message: 'from must be a time that exists.' });
  return time;
}
