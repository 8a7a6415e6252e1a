import type { OutboxMessage } from './outbox.ts';

/** The words for messages, the same in the outbox, the command and the portal. */
export const messageStates = {
  pending: 'Waiting',
  kept: 'Kept in the outbox',
  sent: 'Sent',
  delivered: 'Delivered',
  failed: 'Failed',
} as const;

type MessageState = keyof typeof messageStates;

/** What became of a message: a provider has it only if it is sent. The sandbox keeps what it does not settle. */
export function messageStateOf({
  environment,
  state,
  provider,
}: {
  environment: 'live' | 'sandbox' | null;
  state: OutboxMessage['row']['state'];
  provider: string | null;
}): MessageState {
  if (state === 'pending' && environment === 'sandbox') return 'kept';
  return state === 'sent' && provider === 'outbox' ? 'kept' : state;
}

/** Why the message is in the outbox only. */
export function keptBecause(environment: 'live' | 'sandbox' | null, channel: 'email' | 'phone'): string {
  if (environment === 'sandbox') return 'the sandbox sends no messages';
  return `no ${channel === 'email' ? 'mail server' : 'SMS provider'} configured`;
}
