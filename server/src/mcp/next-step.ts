import { catalogue, type ErrorCode } from '../errors.ts';

const AGAIN = 'Wait a few seconds, then call the tool again with the same arguments.';

/** Replaces what the catalogue says about requests. */
const ofAgents: Partial<Record<ErrorCode, string>> = {
  resource_missing: 'Use an id from list_gifts or from an earlier answer. Ids of the sandbox do not exist in live.',
  parameter_invalid: 'Correct the argument that param names. If an order changes, call preview_order again.',
  gift_already_redeemed: 'Do nothing. The recipient has claimed the gift.',
  gift_delivery_not_updatable:
    'Call list_gifts. Redirect a gift only while its status is failed; resend an email or phone gift otherwise.',
  external_id_taken: 'Call list_gifts with this external_id to find what has it, or preview with another external_id.',
  insufficient_balance: 'Ask a person to add funds. Then call the tool again with the same arguments.',
  rate_limit_exceeded:
    'Wait retry_after_seconds, then call the tool again with the same arguments. If the message names a spending cap, tell the person: only an admin or the operator can raise it.',
  resource_locked: AGAIN,
  idempotency_in_progress: AGAIN,
  internal_error: `${AGAIN} If it still fails, give the operator the request_id.`,
};

/** What an agent should do after an error; undefined for a code that the catalogue does not have. */
export const nextStep = (code: string): string | undefined =>
  ofAgents[code as ErrorCode] ?? (catalogue as Partial<Record<string, { fix: string }>>)[code]?.fix;
