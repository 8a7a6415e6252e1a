import type { Environment } from '../../../platform/base/environment.ts';
import { failureOf } from '../../../platform/messaging/failure-meaning.ts';
import type { GiftDelivery } from '../../delivery/message-queries.ts';
import { ERASED_ADDRESS } from '../gift/address.ts';
import type { GiftMessageBody } from '../gift/expansion-schema.ts';

/** A message, with its address as the viewer may see it. */
type Message = Omit<GiftDelivery, 'number' | 'address'> & { address: string | null };

const isoOf = (time: Date | null) => time?.toISOString() ?? null;

/**
 * Presents a message about a gift, in `/v1` and in the portal. In the sandbox, where nothing is sent, every message counts as
 * accepted.
 */
export function presentMessage(
  environment: Environment,
  { address, state, reason, created_at, sent_at, settled_at, ...message }: Message,
): GiftMessageBody {
  const acceptedAt = environment === 'sandbox' ? created_at : sent_at;
  const settledAt = isoOf(settled_at ?? created_at);
  const isSending = state === 'pending' && environment === 'live';
  return {
    channel: message.channel,
    address: address === ERASED_ADDRESS ? null : address,
    provider: message.provider,
    tries: message.tries,
    state: isSending ? 'sending' : state === 'pending' ? 'sent' : state,
    created_at: created_at.toISOString(),
    sent_at: isoOf(acceptedAt),
    delivered_at: state === 'delivered' ? settledAt : null,
    failed_at: state === 'failed' ? settledAt : null,
    failure: state === 'failed' || (isSending && reason !== null) ? failureOf(reason) : null,
    reminder_day: message.reminder_day,
  };
}
