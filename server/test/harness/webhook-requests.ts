import { randomUUID } from 'node:crypto';
import type { ErrorCode } from '../../src/platform/base/errors.ts';
import { encodeId } from '../../src/platform/base/ids.ts';
import type { Answer, ApiClient } from './api-client.ts';

type Ask = (api: ApiClient, prepared: { endpointId: string }) => Promise<Answer>;
type Requests = Record<string, [result: number | ErrorCode, ask: Ask]>;

const large = 'x'.repeat(2 ** 20 + 1);
const unknown = () => encodeId('wh', randomUUID());

const hook = (act: string, status: number | ErrorCode = 200): Requests => ({
  valid: [status, (api, { endpointId }) => api.post(`/v1/webhook_endpoints/${endpointId}${act}`)],
  'unknown endpoint': ['resource_missing', (api) => api.post(`/v1/webhook_endpoints/${unknown()}${act}`)],
});

/** Requests by operation, with their results if the key is valid. */
export const webhookRequests: Record<string, Requests> = {
  createWebhookEndpoint: {
    valid: [201, (api) => api.post('/v1/webhook_endpoints', { url: 'https://shop.example/' })],
    'private address': ['parameter_invalid', (api) => api.post('/v1/webhook_endpoints', { url: 'https://10.0.0.1/' })],
    'large body': ['request_body_too_large', (api) => api.post('/v1/webhook_endpoints', large)],
  },
  listWebhookEndpoints: { valid: [200, (api) => api.get('/v1/webhook_endpoints')] },
  retrieveWebhookEndpoint: {
    valid: [200, (api, { endpointId }) => api.get(`/v1/webhook_endpoints/${endpointId}`)],
    'unknown endpoint': ['resource_missing', (api) => api.get(`/v1/webhook_endpoints/${unknown()}`)],
  },
  updateWebhookEndpoint: {
    valid: [
      200,
      (api, { endpointId }) =>
        api.request('PATCH', `/v1/webhook_endpoints/${endpointId}`, { body: { types: ['gift.claimed'] } }),
    ],
    'unknown type': [
      'parameter_invalid',
      (api, { endpointId }) => api.request('PATCH', `/v1/webhook_endpoints/${endpointId}`, { body: { types: ['a'] } }),
    ],
  },
  rotateWebhookSecret: hook('/rotate_secret'),
  enableWebhookEndpoint: hook('/enable'),
  testWebhookEndpoint: hook('/test'),
  listWebhookDeliveries: {
    valid: [200, (api, { endpointId }) => api.get(`/v1/webhook_endpoints/${endpointId}/deliveries`)],
    'unknown endpoint': ['resource_missing', (api) => api.get(`/v1/webhook_endpoints/${unknown()}/deliveries`)],
  },
  resendWebhookDelivery: hook(`/deliveries/${encodeId('evt', randomUUID())}/resend`, 'resource_missing'),
  resendWebhookDeliveries: {
    valid: [200, (api, { endpointId }) => api.post(`/v1/webhook_endpoints/${endpointId}/resend`, { failed: true })],
    neither: ['parameter_invalid', (api, { endpointId }) => api.post(`/v1/webhook_endpoints/${endpointId}/resend`, {})],
  },
  deleteWebhookEndpoint: {
    'unknown endpoint': ['resource_missing', (api) => api.request('DELETE', `/v1/webhook_endpoints/${unknown()}`)],
    valid: [200, (api, { endpointId }) => api.request('DELETE', `/v1/webhook_endpoints/${endpointId}`)],
  },
};
