import { Type } from 'typebox';
import type { Deps } from '../../core/deps.ts';
import type { Member } from '../../faces/portal-access/access.ts';
import { Moment, pageOf, pageQuery, readPage, readParameter } from '../../faces/portal-access/list-schema.ts';
import type { Register } from '../../faces/portal-access/register.ts';
import { Name, nullable } from '../../platform/api/schema.ts';
import { admitted } from '../../platform/authentication/caller.ts';
import { BestowError } from '../../platform/base/errors.ts';
import { decodeId } from '../../platform/base/ids.ts';
import type { Scope } from '../../platform/base/principal.ts';
import { eventTypes } from '../../platform/events/event-types.ts';
import { addEndpoint, MAX_ENDPOINTS } from './add-endpoint.ts';
import { editEndpoint, removeEndpoint } from './edit-endpoint.ts';
import { enableEndpoint } from './enable-endpoint.ts';
import { readInput } from './endpoint-input.ts';
import { listEndpoints } from './find-endpoint.ts';
import { listDeliveries } from './list-deliveries.ts';
import { resendDeliveries, resendDelivery } from './resend-deliveries.ts';
import { DEFAULT_OVERLAP_HOURS, rotateSecret } from './rotate-secret.ts';
import { deliveryFields, endpointFields, presentDelivery, presentEndpoint } from './schema.ts';

const PATH = '/organizations/{organization_id}/{environment}/webhooks';
const ONE = `${PATH}/{endpoint_id}` as const;
const SHOWN_DELIVERIES = 50;

const Webhook = Type.Object(endpointFields, { $id: 'Webhook' });
const WebhookSecret = Type.Object({ endpoint_id: Type.String(), secret: Type.String() });
const Delivery = Type.Object(deliveryFields, { $id: 'Delivery' });

const inputFields = {
  url: Type.String({ minLength: 1, maxLength: 2_000, 'x-rule': 'must be an https:// address' }),
  description: nullable(Name),
  types: nullable(Type.Array(Type.String(), { minItems: 1, maxItems: 50 })),
  ordered: Type.Boolean(),
};

/** @throws BestowError `not_found` */
function requireEndpoint(id: string): string {
  const endpointId = decodeId('wh', id);
  if (endpointId === undefined) throw new BestowError('not_found');
  return endpointId;
}

const changeOf = (scope: Scope, id: string, member: Member) => ({
  caller: admitted(scope),
  endpointId: requireEndpoint(id),
  actor: member.actor,
});

/** @throws BestowError `parameter_invalid` */
function requireTypes(types: readonly string[] | null): readonly string[] | null {
  const unknown = types?.find((type) => !Object.hasOwn(eventTypes, type));
  if (unknown === undefined) return types;
  throw new BestowError('parameter_invalid', { param: 'types', message: `There is no event of the type ${unknown}.` });
}

/** Webhook endpoints (docs/webhooks.md). */
export function webhookRoutes(register: Register, deps: Deps): void {
  register(
    {
      method: 'GET',
      path: PATH,
      operationId: 'listWebhooks',
      tag: 'Webhooks',
      summary: 'The webhook endpoints of an environment, and the types of events.',
      access: 'member',
      needs: 'integrations',
      response: Type.Object({
        data: Type.Array(Webhook),
        most: Type.Integer({ description: 'The limit.' }),
        types: Type.Array(Type.String()),
      }),
    },
    async ({ scope }) => ({
      data: (await listEndpoints(deps, admitted(scope))).map(presentEndpoint),
      most: MAX_ENDPOINTS,
      types: Object.keys(eventTypes),
    }),
  );
  addSecretRoutes(register, deps);
  addChangeRoutes(register, deps);
  addDeliveryRoutes(register, deps);
}

function addSecretRoutes(register: Register, deps: Deps): void {
  register(
    {
      method: 'POST',
      path: PATH,
      operationId: 'addWebhook',
      tag: 'Webhooks',
      summary: 'Adds an endpoint and returns its secret.',
      access: 'member',
      needs: 'integrate',
      needsFreshSignIn: true,
      body: Type.Object(inputFields),
      response: WebhookSecret,
    },
    async ({ scope, body, member }) => {
      const { url, description, ordered } = body;
      const input = { url, description, types: requireTypes(body.types), isOrdered: ordered };
      const added = await addEndpoint(deps, { caller: admitted(scope), input, actor: member.actor });
      return { endpoint_id: presentEndpoint(added.endpoint).endpoint_id, secret: added.secret };
    },
  );
  register(
    {
      method: 'POST',
      path: `${ONE}/rotate`,
      operationId: 'rotateWebhook',
      tag: 'Webhooks',
      summary: 'Replaces the secret; pushes are signed with both for a day, or with none of the earlier ones.',
      access: 'member',
      needs: 'integrate',
      needsFreshSignIn: true,
      body: Type.Object({ ends_earlier: Type.Optional(Type.Boolean({ description: 'Earlier secrets end at once.' })) }),
      isBodyOptional: true,
      response: WebhookSecret,
    },
    async ({ params, scope, body, member }) => {
      const change = changeOf(scope, params.endpoint_id, member);
      const { secret } = await rotateSecret(deps, change, body?.ends_earlier ? 0 : DEFAULT_OVERLAP_HOURS);
      return { endpoint_id: params.endpoint_id, secret };
    },
  );
}

function addChangeRoutes(register: Register, deps: Deps): void {
  register(
    {
      method: 'PUT',
      path: ONE,
      operationId: 'changeWebhook',
      tag: 'Webhooks',
      summary: 'Changes an endpoint.',
      access: 'member',
      needs: 'integrate',
      needsFreshSignIn: true,
      body: Type.Object(inputFields),
      response: Webhook,
    },
    async ({ params, scope, body, member }) => {
      const input = readInput({ ...body, types: requireTypes(body.types) });
      return presentEndpoint(await editEndpoint(deps, changeOf(scope, params.endpoint_id, member), input));
    },
  );
  register(
    {
      method: 'DELETE',
      path: ONE,
      operationId: 'removeWebhook',
      tag: 'Webhooks',
      summary: 'Removes an endpoint.',
      access: 'member',
      needs: 'integrate',
    },
    async ({ params, scope, member }) => {
      await removeEndpoint(deps, changeOf(scope, params.endpoint_id, member));
    },
  );
  register(
    {
      method: 'POST',
      path: `${ONE}/disable`,
      operationId: 'disableWebhook',
      tag: 'Webhooks',
      summary: 'Switches an endpoint off; its events wait in the feed.',
      access: 'member',
      needs: 'integrate',
      response: Webhook,
    },
    async ({ params, scope, member }) =>
      presentEndpoint(await editEndpoint(deps, changeOf(scope, params.endpoint_id, member), { status: 'disabled' })),
  );
  register(
    {
      method: 'POST',
      path: `${ONE}/enable`,
      operationId: 'enableWebhook',
      tag: 'Webhooks',
      summary: 'Switches an endpoint on; it continues after its last event.',
      access: 'member',
      needs: 'integrate',
      response: Webhook,
    },
    async ({ params, scope, member }) => {
      const { endpoint } = await enableEndpoint(deps, changeOf(scope, params.endpoint_id, member), undefined);
      return presentEndpoint(endpoint);
    },
  );
}

function addDeliveryRoutes(register: Register, deps: Deps): void {
  register(
    {
      method: 'GET',
      path: `${ONE}/deliveries`,
      operationId: 'listWebhookDeliveries',
      tag: 'Webhooks',
      summary: 'The deliveries of an endpoint, newest event first, each with every attempt.',
      access: 'member',
      needs: 'integrations',
      query: Type.Object({ after: pageQuery.after, before: pageQuery.before }),
      response: pageOf(Delivery),
    },
    async ({ params, scope, query }) => {
      const page = { ...readPage(query), limit: SHOWN_DELIVERIES };
      const { rows, hasMore } = await listDeliveries(deps, admitted(scope), {
        endpointId: requireEndpoint(params.endpoint_id),
        page,
      });
      const shown = rows.map(presentDelivery);
      const isBackwards = page.before !== undefined;
      const onwards = (isBackwards ? shown[0] : shown.at(-1))?.event_id ?? null;
      const back = (isBackwards ? shown.at(-1) : shown[0])?.event_id ?? page.before ?? page.after ?? null;
      const [next, last] = [hasMore ? onwards : null, isBackwards || page.after !== undefined ? back : null];
      return { data: shown, older: isBackwards ? last : next, newer: isBackwards ? next : last, searched_to: null };
    },
  );
  register(
    {
      method: 'POST',
      path: `${ONE}/deliveries/{event_id}/resend`,
      operationId: 'resendWebhookDelivery',
      tag: 'Webhooks',
      summary: 'Sends an event again.',
      access: 'member',
      needs: 'integrate',
    },
    async ({ params, scope, member }) => {
      const eventId = decodeId('evt', params.event_id);
      if (eventId === undefined) throw new BestowError('not_found');
      await resendDelivery(deps, changeOf(scope, params.endpoint_id, member), eventId);
    },
  );
  register(
    {
      method: 'POST',
      path: `${ONE}/resend`,
      operationId: 'resendWebhookDeliveries',
      tag: 'Webhooks',
      summary: 'Sends all failed events again, or all since a time.',
      access: 'member',
      needs: 'integrate',
      body: Type.Object({ from: Type.Optional(Moment) }),
      response: Type.Object({ resent: Type.Integer() }),
    },
    async ({ params, scope, body, member }) => {
      const from = readParameter('from', body.from);
      const { count } = await resendDeliveries(deps, changeOf(scope, params.endpoint_id, member), from);
      return { resent: count };
    },
  );
}
