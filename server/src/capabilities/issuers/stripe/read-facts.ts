import type { Stripe } from 'stripe';
import type { Fact } from '../../../core/issuer/port.ts';
import type { StripeClient } from '../../stripe/open-stripe.ts';

/** Events that become facts. */
export const factEvents = [
  'issuing_authorization.created',
  'issuing_authorization.updated',
  'issuing_card.updated',
  'issuing_dispute.created',
  'issuing_dispute.updated',
  'issuing_dispute.submitted',
  'issuing_dispute.closed',
  'issuing_transaction.created',
] as const;

const LAST_MS = 900;

/**
 * Stripe's times have seconds. Within one, a question comes after as many answers as its authorization has, and before one
 * more. @param created in seconds
 */
export const timeOf = (created: number, { answers, isQuestion }: { answers: number; isQuestion: boolean }): Date =>
  new Date(created * 1_000 + Math.min(2 * answers + (isQuestion ? 1 : 0), LAST_MS - 1));

const idOf = (one: string | { id: string }) => (typeof one === 'string' ? one : one.id);

/** Reads an event. Its object is as it was at the time of the event, so the facts of an event are always the same. */
export async function factsOfEvent(client: StripeClient, event: Stripe.Event): Promise<Fact[]> {
  switch (event.type) {
    case 'issuing_authorization.created':
    case 'issuing_authorization.updated':
      return factsOfAuthorization(event, event.data.object);
    case 'issuing_transaction.created':
      return [factOfTransaction(event.data.object)];
    case 'issuing_card.updated': {
      const { id, status } = event.data.object;
      return status === 'canceled'
        ? [{ kind: 'closed', factId: `${id}:closed`, providerId: id, at: new Date(event.created * 1_000) }]
        : [];
    }
    case 'issuing_dispute.created':
    case 'issuing_dispute.updated':
    case 'issuing_dispute.submitted':
    case 'issuing_dispute.closed':
      return [await factOfDispute(client, event, event.data.object)];
    default:
      return [];
  }
}

function factsOfAuthorization(
  { id: factId, type, created }: Stripe.Event,
  { id: holdId, card, status, approved, amount, merchant_data, request_history }: Stripe.Issuing.Authorization,
): Fact[] {
  const at = timeOf(created, { answers: request_history.length, isQuestion: false });
  const one = { factId, providerId: card.id, holdId };
  if (status !== 'pending') return [{ kind: 'released', ...one, at: new Date(created * 1_000 + LAST_MS) }];
  if (!approved) return [];
  const kind = type === 'issuing_authorization.created' ? 'hold' : 'hold_changed';
  return [{ kind, ...one, at, amountCents: amount, merchant: merchant_data.name ?? '' }];
}

/** Captures are negative at Stripe. The authorization says whether a capture was the last one. */
export function factOfTransaction(transaction: Stripe.Issuing.Transaction): Fact {
  const { id: factId, type, amount, authorization, card, created, merchant_data } = transaction;
  const one = { factId, providerId: idOf(card), at: new Date(created * 1_000), merchant: merchant_data.name ?? '' };
  if (type === 'refund') return { kind: 'refunded', ...one, amountCents: Math.abs(amount) };
  const holdId = authorization === null ? null : idOf(authorization);
  return { kind: 'captured', ...one, holdId, amountCents: Math.abs(amount), isFinal: holdId === null };
}

async function factOfDispute(
  client: StripeClient,
  { id: factId, created }: Stripe.Event,
  { id: disputeId, amount, status, transaction }: Stripe.Issuing.Dispute,
): Promise<Fact> {
  const { card } =
    typeof transaction === 'string' ? await client.issuing.transactions.retrieve(transaction) : transaction;
  const outcome = status === 'won' ? 'won' : status === 'lost' || status === 'expired' ? 'lost' : 'open';
  const at = new Date(created * 1_000 + (outcome === 'open' ? 0 : LAST_MS));
  return { kind: 'disputed', factId, providerId: idOf(card), at, disputeId, amountCents: amount, outcome };
}
