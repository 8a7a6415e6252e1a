import { type List, listOf, type PageParams } from './list.ts';
import type {
  DeletedWebhookEndpoint,
  WebhookAttempt,
  WebhookDelivery,
  WebhookEnableInput,
  WebhookEndpoint,
  WebhookEndpointChange,
  WebhookEndpointInput,
  WebhookEndpointWithSecret,
  WebhookResendInput,
  WebhookResendResult,
  WebhookRotateInput,
} from './resources.ts';
import type { ActOptions, Answer, CallOptions, Connection } from './send.ts';

/** The addresses that events are pushed to. Those that name an endpoint throw InvalidRequestError `resource_missing`. */
export const webhookEndpointsOf = (connection: Connection) => ({
  /** Pushes the events from now on. The answer has the secret for `verifyWebhook`. @throws `webhook_endpoint_limit_reached` */
  create: (body: WebhookEndpointInput, options?: ActOptions): Promise<Answer<WebhookEndpointWithSecret>> =>
    connection.call('createWebhookEndpoint', { body }, options),
  /** All endpoints, on one page. */
  list: (options?: CallOptions): List<WebhookEndpoint> => {
    const source = { id: 'listWebhookEndpoints', idOf: ({ endpoint_id }: WebhookEndpoint) => endpoint_id } as const;
    return listOf(connection, { ...source, walked: {} }, {}, options);
  },
  retrieve: (endpointId: string, options?: CallOptions): Promise<Answer<WebhookEndpoint>> =>
    connection.call('retrieveWebhookEndpoint', { ids: [endpointId] }, options),
  /** Changes what is given. `status: 'disabled'` pauses it: events wait until it is enabled. */
  update: (endpointId: string, body: WebhookEndpointChange, options?: CallOptions): Promise<Answer<WebhookEndpoint>> =>
    connection.call('updateWebhookEndpoint', { ids: [endpointId], body }, options),
  delete: (endpointId: string, options?: CallOptions): Promise<Answer<DeletedWebhookEndpoint>> =>
    connection.call('deleteWebhookEndpoint', { ids: [endpointId] }, options),
  /** Signs with a new secret, and for `overlap_hours` (24) with the earlier one too. */
  rotateSecret: (
    endpointId: string,
    body: WebhookRotateInput = {},
    options?: ActOptions,
  ): Promise<Answer<WebhookEndpointWithSecret>> =>
    connection.call('rotateWebhookSecret', { ids: [endpointId], body }, options),
  /** Goes on where the endpoint stopped, or at `from_sequence`. */
  enable: (endpointId: string, body: WebhookEnableInput = {}, options?: ActOptions): Promise<Answer<WebhookEndpoint>> =>
    connection.call('enableWebhookEndpoint', { ids: [endpointId], body }, options),
  /** Pushes a `webhook.test` once, and says what the endpoint answered. */
  test: (endpointId: string, options?: CallOptions): Promise<Answer<WebhookAttempt>> =>
    connection.call('testWebhookEndpoint', { ids: [endpointId] }, options),
  /** What was pushed, newest event first. */
  deliveries: (endpointId: string, params?: PageParams, options?: CallOptions): List<WebhookDelivery> => {
    const idOf = ({ event_id }: WebhookDelivery) => event_id;
    return listOf(connection, { id: 'listWebhookDeliveries', ids: [endpointId], idOf }, params, options);
  },
  /** Pushes one event again. */
  resendDelivery: (endpointId: string, eventId: string, options?: ActOptions): Promise<Answer<WebhookResendResult>> =>
    connection.call('resendWebhookDelivery', { ids: [endpointId, eventId] }, options),
  /** Pushes all failed deliveries again, or all of a time on. */
  resendDeliveries: (
    endpointId: string,
    body: WebhookResendInput,
    options?: ActOptions,
  ): Promise<Answer<WebhookResendResult>> =>
    connection.call('resendWebhookDeliveries', { ids: [endpointId], body }, options),
});
