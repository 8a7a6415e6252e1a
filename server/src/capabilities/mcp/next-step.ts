import type { ErrorReason } from '../../platform/base/error-reasons.ts';
import { type BestowError, catalogue } from '../../platform/base/errors.ts';

const AGAIN = 'Wait a few seconds, then call the tool again with the same arguments.';
const ASK_ADMIN = 'Tell the person: an admin of the organization or the operator must act first.';
const KEY = 'Stop, and ask a person for a token that works.';

/** What to do after each error that a tool can give, in the words of the tools. */
const ofTools: Partial<Record<BestowError['code'], string>> = {
  api_key_missing: KEY,
  api_key_invalid: 'Copy the key again, or ask a person for a new one. The key may be refused from this network.',
  api_key_revoked: KEY,
  api_key_environment_mismatch: KEY,
  organization_suspended:
    'Stop, and tell the person what the message says: only those that it names can lift this. Gifts that were paid for stay valid.',
  sandbox_missing: 'Ask an admin of the organization to create the sandbox in the portal. Then call the tool again.',
  resource_missing:
    'Use an id from list_orders, list_gifts or an earlier answer. Ids of the sandbox do not exist in live. That an id is missing does not show that nothing was bought.',
  parameter_invalid: 'Correct the argument that param names. If an order changes, call preview_order again.',
  cursor_invalid:
    'Start again without the cursor, or with an id of the same list. The message names the sequence that wait_for_events can continue from.',
  not_granted:
    'Do not try another way. Tell the person what the message says: only an admin of the organization can grant more.',
  gift_already_redeemed: 'Do nothing. The recipient has claimed the gift.',
  gift_delivery_not_updatable:
    'Call get_gift. If its delivery has the address that you want, an earlier call had its effect: do nothing. Redirect a gift only while its status is failed, or before it is sent.',
  gift_resend_limit_reached: 'Stop sending this gift, and tell the person: only the operator can have it sent again.',
  gift_canceled: 'Do nothing. The amount is back in the balance. Ask the person before you order another gift.',
  gift_scheduled:
    'Wait for the time in scheduled_for, or call schedule_gift with the present time to send the gift now.',
  gift_not_scheduled: 'Do nothing. Call get_gift: the gift was sent already, or was ordered without send_at.',
  gift_on_hold: ASK_ADMIN,
  idempotency_key_reused:
    'Call get_gift to see what the earlier call with this idempotency_key did. Use another key only for another act.',
  external_id_taken:
    'Call get_order with order_id. If it is the order that you want, it is bought: do not place another one. Only for a further order, preview it with another external_id. Without an order_id, ask a person to look for the order in the portal.',
  organization_not_configured: ASK_ADMIN,
  insufficient_balance: 'Ask a person to add funds. Then call the tool again with the same arguments.',
  rate_limit_exceeded: 'Wait retry_after_seconds, then call the tool again with the same arguments.',
  resource_locked: AGAIN,
  idempotency_in_progress: AGAIN,
  internal_error: `${AGAIN} If it still fails, give the operator the request_id.`,
  request_body_invalid: 'Send the message again as one JSON document.',
  request_body_too_large: 'Send less: an order of ten gifts needs about 3 KB.',
};

const CAP =
  'Tell the person what the message says: only an admin or the operator can raise it. Then, or after the time in the message, call the tool again with the same arguments.';

/** What says more than the code. */
const ofReasons: Partial<Record<ErrorReason, string>> = {
  gift_on_hold: ASK_ADMIN,
  gift_canceled: ofTools.gift_canceled ?? '',
  gift_scheduled: ofTools.gift_scheduled ?? '',
  organization_cap_reached: CAP,
  key_cap_reached: CAP,
  agent_cap_reached: CAP,
  member_cap_reached: CAP,
  team_cap_reached: CAP,
  recipient_cap_reached: CAP,
};

const PREVIEW_TOKEN =
  'If the message names an order, call get_order with its id: it is bought, and place_order with the token alone returns it. If it names a request, call get_order_request with its id: a person decides on that order. If it says to send the token alone, do so. Otherwise call preview_order again and place the order with its token.';

/** What an agent should do after an error; undefined for a code that the catalogue does not have. */
export const nextStep = (code: string, param?: string, reason?: string): string | undefined =>
  (param === 'preview_token' ? PREVIEW_TOKEN : undefined) ??
  (code === 'not_granted' ? undefined : ofReasons[reason as ErrorReason]) ??
  ofTools[code as BestowError['code']] ??
  (catalogue as Partial<Record<string, { fix: string }>>)[code]?.fix;
