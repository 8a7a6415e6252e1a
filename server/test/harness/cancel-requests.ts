import { randomUUID } from 'node:crypto';
import type { ErrorCode } from '../../src/platform/base/errors.ts';
import { encodeId } from '../../src/platform/base/ids.ts';
import type { Answer, ApiClient } from './api-client.ts';

type Ask = (api: ApiClient, prepared: { giftId: string; claimedId: string; orderId: string }) => Promise<Answer>;

const unknown = (prefix: 'gift' | 'ord') => encodeId(prefix, randomUUID());

/** Requests by operation, with their results if the key is valid. */
export const cancelRequests: Record<string, Record<string, [result: number | ErrorCode, ask: Ask]>> = {
  cancelGift: {
    valid: [200, (api, { giftId }) => api.post(`/v1/gifts/${giftId}/cancel`, { reason: 'Wrong address' })],
    'claimed gift': ['gift_already_redeemed', (api, { claimedId }) => api.post(`/v1/gifts/${claimedId}/cancel`)],
    'unknown gift': ['resource_missing', (api) => api.post(`/v1/gifts/${unknown('gift')}/cancel`)],
  },
  cancelOrder: {
    valid: [200, (api, { orderId }) => api.post(`/v1/orders/${orderId}/cancel`)],
    'unknown order': ['resource_missing', (api) => api.post(`/v1/orders/${unknown('ord')}/cancel`)],
  },
};
