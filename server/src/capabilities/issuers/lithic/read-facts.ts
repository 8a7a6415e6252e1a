import { dateOf } from 'bestow-readers/time.ts';
import type { Lithic } from 'lithic';
import type { Fact } from '../../../core/issuer/port.ts';

/** Event types that become facts. */
export const factEvents = ['card_transaction.updated', 'card.updated', 'dispute.updated'] as const;

type TransactionEvent = NonNullable<Lithic.Transaction['events']>[number];

/** A webhook's body. */
export type LithicEvent =
  | ({ event_type: 'card_transaction.updated' } & Lithic.Transaction)
  | { event_type: 'card.updated'; card_token: string; state: unknown }
  | ({ event_type: 'dispute.updated' } & Lithic.Dispute);

/** Reads a webhook's body. @param cardOf asks for the card of a transaction */
export async function factsOfEvent(
  event: LithicEvent,
  cardOf: (transaction: string) => Promise<string>,
): Promise<Fact[]> {
  switch (event.event_type) {
    case 'card_transaction.updated':
      return factsOfTransaction(event);
    case 'card.updated': {
      const { card_token: providerId, state } = event;
      // Lithic's event has no time; a closed card stays closed.
      return state === 'CLOSED'
        ? [{ kind: 'closed', factId: `${providerId}:closed`, providerId, at: new Date(0) }]
        : [];
    }
    case 'dispute.updated': {
      const { token, status, amount, created, resolution_date, transaction_token } = event;
      const outcome = status === 'CASE_WON' ? 'won' : status === 'CASE_CLOSED' ? 'lost' : 'open';
      const at = dateOf(outcome === 'open' ? created : (resolution_date ?? created));
      const providerId = await cardOf(transaction_token);
      return [
        {
          kind: 'disputed',
          factId: `${token}:${status}`,
          providerId,
          at,
          disputeId: token,
          amountCents: amount,
          outcome,
        },
      ];
    }
    default:
      return [];
  }
}

/** Returns a fact for each event of a transaction, and one for its end. */
function factsOfTransaction({ token, card_token, status, merchant, updated, events = [] }: Lithic.Transaction): Fact[] {
  const one = { providerId: card_token, merchant: merchant.descriptor };
  const facts: Fact[] = [];
  let heldCents = 0;
  for (const event of events.toSorted((a, b) => dateOf(a.created).getTime() - dateOf(b.created).getTime())) {
    if (event.result !== 'APPROVED') continue;
    heldCents += change(event);
    facts.push(...factOfEvent(event, { ...one, holdId: token, heldCents, isFirst: facts.length === 0 }));
  }
  if (status === 'PENDING') return facts;
  return [
    ...facts,
    { kind: 'released', factId: `${token}:${status}`, providerId: card_token, holdId: token, at: dateOf(updated) },
  ];
}

/** What an event adds to the authorized amount. */
function change({ type, amount }: TransactionEvent): number {
  switch (type) {
    case 'AUTHORIZATION':
    case 'AUTHORIZATION_ADVICE':
    case 'FINANCIAL_AUTHORIZATION':
      return Math.abs(amount);
    case 'AUTHORIZATION_REVERSAL':
      return -Math.abs(amount);
    default:
      return 0;
  }
}

interface OfTransaction {
  providerId: string;
  merchant: string;
  holdId: string;
  /** All that was authorized up to the event. */
  heldCents: number;
  isFirst: boolean;
}

function factOfEvent({ token: factId, type, amount, created }: TransactionEvent, of: OfTransaction): Fact[] {
  const { providerId, merchant, holdId, heldCents, isFirst } = of;
  const fact = { factId, providerId, at: dateOf(created), merchant };
  const amountCents = Math.abs(amount);
  switch (type) {
    case 'AUTHORIZATION':
    case 'AUTHORIZATION_ADVICE':
    case 'FINANCIAL_AUTHORIZATION':
    case 'AUTHORIZATION_REVERSAL':
      return [{ kind: isFirst ? 'hold' : 'hold_changed', ...fact, holdId, amountCents: Math.max(0, heldCents) }];
    case 'CLEARING':
    case 'CORRECTION_DEBIT':
    case 'RETURN_REVERSAL':
      return [{ kind: 'captured', ...fact, holdId, amountCents, isFinal: false }];
    case 'RETURN':
    case 'CORRECTION_CREDIT':
      return [{ kind: 'refunded', ...fact, amountCents }];
    default:
      return [];
  }
}
