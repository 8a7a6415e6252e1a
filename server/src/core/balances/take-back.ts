import type { PoolClient } from 'pg';
import type { Actor } from '../../platform/base/actor.ts';
import type { Deps } from '../deps.ts';
import { legsOf } from './accounts.ts';
import { appendEntry } from './append-entry.ts';
import { lockBalance } from './lock-balance.ts';
import { changeOwed, selectOwed } from './owed-queries.ts';

interface Movement {
  /** UUID; the live balance. */
  organizationId: string;
  /** What the balance had got; 0 or more. */
  amountCents: number;
  /** What had been paid in addition and moves back with it; 0 or more. */
  feeCents: number;
  /** Unique, such as a refund's id. */
  reference: string;
  note: string;
  actor: Actor;
}

type MoveDeps = Pick<Deps, 'clock' | 'ids'>;
const environment = 'live';

/**
 * Debits what the balance holds and records the rest as owed, in the caller's transaction. Orders are refused until it is
 * paid. If the balance is empty, the entry has zero cents, and only its legs move.
 */
export async function takeBack(client: PoolClient, deps: MoveDeps, movement: Movement): Promise<void> {
  const { organizationId, amountCents, feeCents, reference, note, actor } = movement;
  const { balanceCents } = await lockBalance(client, organizationId, environment);
  const debitCents = Math.min(balanceCents, amountCents);
  const owedCents = amountCents - debitCents;
  await appendEntry(client, deps, {
    organizationId,
    environment,
    kind: 'adjustment',
    amountCents: -debitCents,
    reference,
    note,
    actor,
    legs: legsOf({ payment_clearing: amountCents + feeCents, fees: -feeCents, receivable: -owedCents }),
  });
  if (owedCents > 0) await changeOwed(client, [organizationId, environment, owedCents]);
}

/** Gives back what was taken: first the part that is still owed, then the balance. */
export async function giveBack(client: PoolClient, deps: MoveDeps, movement: Movement): Promise<void> {
  const { organizationId, amountCents, feeCents, reference, note, actor } = movement;
  await lockBalance(client, organizationId, environment);
  const [row] = await selectOwed(client, [organizationId, environment]);
  const forgivenCents = Math.min(row?.owed_cents ?? 0, amountCents);
  if (forgivenCents > 0) await changeOwed(client, [organizationId, environment, -forgivenCents]);
  await appendEntry(client, deps, {
    organizationId,
    environment,
    kind: 'adjustment',
    amountCents: amountCents - forgivenCents,
    reference,
    note,
    actor,
    legs: legsOf({ payment_clearing: -amountCents - feeCents, fees: feeCents, receivable: forgivenCents }),
  });
}

/** Pays what is owed from the balance. */
export async function collectOwed(
  client: PoolClient,
  deps: MoveDeps,
  { organizationId, actor }: Pick<Movement, 'organizationId' | 'actor'>,
): Promise<void> {
  const { balanceCents } = await lockBalance(client, organizationId, environment);
  const [row] = await selectOwed(client, [organizationId, environment]);
  const amountCents = Math.min(row?.owed_cents ?? 0, balanceCents);
  if (amountCents === 0) return;
  await appendEntry(client, deps, {
    organizationId,
    environment,
    kind: 'adjustment',
    amountCents: -amountCents,
    reference: undefined,
    note: 'Paid what was owed after a refund or chargeback',
    actor,
    legs: legsOf({ receivable: amountCents }),
  });
  await changeOwed(client, [organizationId, environment, -amountCents]);
}
