import { randomUUID } from 'node:crypto';
import type { ErrorCode } from '../../src/platform/base/errors.ts';
import { encodeId } from '../../src/platform/base/ids.ts';
import { type Answer, type ApiClient, emailGift } from './api-client.ts';

type Ask = (api: ApiClient, prepared: { giftId: string; claimedId: string }) => Promise<Answer>;

const later = { send_at: '2027-01-02T09:00:00Z' };
const schedule = (api: ApiClient, giftId: string, body: unknown = later) =>
  api.post(`/v1/gifts/${giftId}/schedule`, body);
const unknown = () => encodeId('gift', randomUUID());

/** Requests of one operation, with their results if the key is valid. */
export const scheduleRequests: Record<string, [result: number | ErrorCode, ask: Ask]> = {
  valid: [
    200,
    async (api) => {
      const { body } = await api.order([{ ...emailGift('someone'), ...later }]);
      return schedule(api, body.gifts?.[0].gift_id ?? unknown());
    },
  ],
  'claimed gift': ['gift_already_redeemed', (api, { claimedId }) => schedule(api, claimedId)],
  'gift without a time': ['gift_not_scheduled', (api, { giftId }) => schedule(api, giftId)],
  'unknown gift': ['resource_missing', (api) => schedule(api, unknown())],
  'no time': ['parameter_invalid', (api, { giftId }) => schedule(api, giftId, {})],
  'not JSON': ['request_body_invalid', (api, { giftId }) => schedule(api, giftId, '{')],
  'large body': ['request_body_too_large', (api, { giftId }) => schedule(api, giftId, 'x'.repeat(2 ** 20 + 1))],
};
