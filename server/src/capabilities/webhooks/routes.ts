import type { Deps } from '../../core/deps.ts';
import type { AddRoute } from '../../platform/api/operation.ts';
import { idParameter, requireId } from '../../platform/api/require-id.ts';
import { refTo } from '../../platform/api/schema.ts';
import { callerOf } from '../../platform/authentication/caller.ts';
import {
  checkOptionalIdempotencyKey,
  OptionalIdempotencyKeyHeader,
  onceRequestOf,
  replayedHeader,
} from '../../platform/idempotency/key-header.ts';
import { addEndpoint } from './add-endpoint.ts';
import { deliveryRoutes } from './delivery-routes.ts';
import { editEndpoint, removeEndpoint } from './edit-endpoint.ts';
import { enableEndpoint } from './enable-endpoint.ts';
import { readInput } from './endpoint-input.ts';
import { endpointExample, secretExample } from './examples.ts';
import { findEndpoint, listEndpoints } from './find-endpoint.ts';
import { DEFAULT_OVERLAP_HOURS, MAX_SECRETS, rotateSecret } from './rotate-secret.ts';
import * as schema from './schema.ts';
import type { Sender } from './send-push.ts';

const PATH = '/v1/webhook_endpoints';
const params = idParameter('endpoint_id', 'The endpoint’s id.', endpointExample.endpoint_id);
const onceErrors = ['idempotency_key_reused', 'idempotency_in_progress'] as const;
const once = { preValidation: checkOptionalIdempotencyKey };

export function webhookRoutes(addRoute: AddRoute, deps: Deps, sender: Sender): void {
  addAddRoute(addRoute, deps);
  addReadRoutes(addRoute, deps);
  addChangeRoutes(addRoute, deps);
  addRotateRoute(addRoute, deps);
  addEnableRoute(addRoute, deps);
  deliveryRoutes(addRoute, deps, sender);
}

function addAddRoute(addRoute: AddRoute, deps: Deps): void {
  addRoute(
    {
      method: 'POST',
      path: PATH,
      operationId: 'createWebhookEndpoint',
      tag: 'Webhooks',
      summary: 'Add a webhook endpoint',
      description:
        'Pushes the events from now on to an address, at most ten addresses in each environment. The answer has the secret that signs the pushes; a retry with the same key has the same one.',
      access: 'key',
      headers: OptionalIdempotencyKeyHeader,
      body: refTo(schema.WebhookEndpointInput),
      bodyExamples: { all: { summary: 'Every event', value: { url: endpointExample.url } } },
      response: refTo(schema.WebhookEndpointWithSecret),
      answers: {
        201: { description: 'The endpoint and its secret.', example: secretExample, headers: replayedHeader },
      },
      errors: ['parameter_invalid', 'resource_missing', ...onceErrors, 'webhook_endpoint_limit_reached'],
    },
    async ({ body, request, reply }) => {
      const added = await addEndpoint(deps, {
        caller: callerOf(request),
        input: { url: body.url, description: null, types: null, isOrdered: false, ...readInput(body) },
        actor: { kind: 'key', address: request.ip },
        once: onceRequestOf(request),
      });
      reply.code(201);
      if (added.isReplay) reply.header('Idempotent-Replayed', 'true');
      return { ...schema.presentEndpoint(added.endpoint), secret: added.secret };
    },
    once,
  );
}

function addReadRoutes(addRoute: AddRoute, deps: Deps): void {
  addRoute(
    {
      method: 'GET',
      path: PATH,
      operationId: 'listWebhookEndpoints',
      tag: 'Webhooks',
      summary: 'List webhook endpoints',
      description: 'All endpoints of the environment, the first one added first.',
      access: 'key',
      response: refTo(schema.WebhookEndpointList),
      answers: {
        200: { description: 'The endpoints.', example: { object: 'list', data: [endpointExample], has_more: false } },
      },
      errors: [],
    },
    async ({ request }) => {
      const rows = await listEndpoints(deps, callerOf(request));
      return { object: 'list' as const, data: rows.map(schema.presentEndpoint), has_more: false };
    },
  );
  addRoute(
    {
      method: 'GET',
      path: `${PATH}/{endpoint_id}`,
      operationId: 'retrieveWebhookEndpoint',
      tag: 'Webhooks',
      summary: 'Retrieve a webhook endpoint',
      description: 'One endpoint, and whether it accepts its events.',
      access: 'key',
      params,
      response: refTo(schema.WebhookEndpoint),
      answers: { 200: { description: 'The endpoint.', example: endpointExample } },
      errors: ['resource_missing'],
    },
    async ({ params: { endpoint_id }, request }) => {
      const endpointId = requireId('wh', endpoint_id);
      return schema.presentEndpoint(await findEndpoint(deps.database.read, callerOf(request), endpointId));
    },
  );
}

function addChangeRoutes(addRoute: AddRoute, deps: Deps): void {
  addRoute(
    {
      method: 'PATCH',
      path: `${PATH}/{endpoint_id}`,
      operationId: 'updateWebhookEndpoint',
      tag: 'Webhooks',
      summary: 'Change a webhook endpoint',
      description:
        'Changes the given fields. The next push is as they say. `status` switches the endpoint off, and on again without a loss.',
      access: 'key',
      params,
      body: refTo(schema.WebhookEndpointChange),
      bodyExamples: {
        types: { summary: 'Other events', value: { types: ['gift.claimed', 'gift.expired'] } },
        off: { summary: 'Nothing for now', value: { status: 'disabled' } },
      },
      response: refTo(schema.WebhookEndpoint),
      answers: { 200: { description: 'The endpoint.', example: endpointExample } },
      errors: ['resource_missing', 'parameter_invalid'],
    },
    async ({ params: { endpoint_id }, body, request }) => {
      const endpointId = requireId('wh', endpoint_id);
      const change = { caller: callerOf(request), endpointId, actor: { kind: 'key', address: request.ip } } as const;
      return schema.presentEndpoint(await editEndpoint(deps, change, readInput(body)));
    },
  );
  addRoute(
    {
      method: 'DELETE',
      path: `${PATH}/{endpoint_id}`,
      operationId: 'deleteWebhookEndpoint',
      tag: 'Webhooks',
      summary: 'Remove a webhook endpoint',
      description: 'Removes the endpoint and what is known of its deliveries. The events stay in the feed.',
      access: 'key',
      isSentOnce: true,
      params,
      response: refTo(schema.DeletedWebhookEndpoint),
      answers: {
        200: {
          description: 'The endpoint was removed.',
          example: { endpoint_id: endpointExample.endpoint_id, deleted: true },
        },
      },
      errors: ['resource_missing'],
    },
    async ({ params: { endpoint_id }, request }) => {
      const endpointId = requireId('wh', endpoint_id);
      const actor = { kind: 'key', address: request.ip } as const;
      await removeEndpoint(deps, { caller: callerOf(request), endpointId, actor });
      return { endpoint_id, deleted: true as const };
    },
  );
}

function addRotateRoute(addRoute: AddRoute, deps: Deps): void {
  addRoute(
    {
      method: 'POST',
      path: `${PATH}/{endpoint_id}/rotate_secret`,
      operationId: 'rotateWebhookSecret',
      tag: 'Webhooks',
      summary: 'Replace the secret of a webhook endpoint',
      description: `Signs each push with a new secret, and with the earlier one too for ${DEFAULT_OVERLAP_HOURS} hours or as long as you say. Earlier rotations keep what they said, up to ${MAX_SECRETS} secrets at once. An overlap of 0 ends all earlier secrets at once.`,
      access: 'key',
      params,
      headers: OptionalIdempotencyKeyHeader,
      body: refTo(schema.RotateInput),
      isBodyOptional: true,
      response: refTo(schema.WebhookEndpointWithSecret),
      answers: {
        200: { description: 'The endpoint and its new secret.', example: secretExample, headers: replayedHeader },
      },
      errors: ['resource_missing', 'parameter_invalid', ...onceErrors],
    },
    async ({ params: { endpoint_id }, body, request, reply }) => {
      const endpointId = requireId('wh', endpoint_id);
      const caller = callerOf(request);
      const change = { caller, endpointId, actor: { kind: 'key', address: request.ip } } as const;
      const asked = { ...change, once: onceRequestOf(request) };
      const { endpoint, secret, isReplay } = await rotateSecret(deps, asked, body?.overlap_hours);
      if (isReplay) reply.header('Idempotent-Replayed', 'true');
      return { ...schema.presentEndpoint(endpoint), secret };
    },
    once,
  );
}

function addEnableRoute(addRoute: AddRoute, deps: Deps): void {
  addRoute(
    {
      method: 'POST',
      path: `${PATH}/{endpoint_id}/enable`,
      operationId: 'enableWebhookEndpoint',
      tag: 'Webhooks',
      summary: 'Switch a webhook endpoint on',
      description:
        'Continues where the endpoint stopped: no event of the time in between is lost, as long as the feed keeps it. Or pushes every event from a sequence on again.',
      access: 'key',
      params,
      headers: OptionalIdempotencyKeyHeader,
      body: refTo(schema.EnableInput),
      isBodyOptional: true,
      response: refTo(schema.WebhookEndpoint),
      answers: { 200: { description: 'The endpoint.', example: endpointExample, headers: replayedHeader } },
      errors: ['resource_missing', 'parameter_invalid', ...onceErrors],
    },
    async ({ params: { endpoint_id }, body, request, reply }) => {
      const endpointId = requireId('wh', endpoint_id);
      const caller = callerOf(request);
      const change = { caller, endpointId, actor: { kind: 'key', address: request.ip } } as const;
      const asked = { ...change, once: onceRequestOf(request) };
      const { endpoint, isReplay } = await enableEndpoint(deps, asked, body?.from_sequence);
      if (isReplay) reply.header('Idempotent-Replayed', 'true');
      return schema.presentEndpoint(endpoint);
    },
    once,
  );
}
