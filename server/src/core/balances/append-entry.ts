import type { PoolClient } from 'pg';
import type { Actor } from '../../platform/base/actor.ts';
import type { Environment } from '../../platform/base/environment.ts';
import { encodeId } from '../../platform/base/ids.ts';
import { OperatorError } from '../../platform/base/operator-error.ts';
import type { Deps } from '../deps.ts';
import { insertLegs } from './account-queries.ts';
import type { Leg } from './accounts.ts';
import { recordEvent } from './actions.ts';
import { lockUsableBalance } from './lock-balance.ts';
import * as queries from './queries.ts';

/** The largest integer that a number represents exactly. */
const MAX_BALANCE_CENTS = Number.MAX_SAFE_INTEGER;

export interface NewEntry {
  /** UUID. */
  organizationId: string;
  environment: Environment;
  kind: 'funding' | 'adjustment';
  /** Signed; zero only if the legs of an adjustment move other accounts. */
  amountCents: number;
  /** The operator's unique name for this entry; a second entry with it changes nothing. */
  reference: string | undefined;
  note: string | undefined;
  /**
   * What the entry moves on other accounts, if that is not the whole amount on the counter-account of its kind; each account
   * once. With the amount they sum to zero: 100 paid, of which 3 are fees, is an amount of 97, `payment_clearing` -100 and
   * `fees` 3.
   */
  legs?: readonly Leg[] | undefined;
  actor: Actor;
}

/**
 * Appends a ledger entry and changes the balance, in the caller's transaction and under the balance's lock. Returns the
 * existing entry if the reference was used before.
 *
 * @throws OperatorError if the sandbox does not exist, the balance would leave its bounds, or the reference belongs to a
 *   different entry; the commit fails (23514) if the legs and the amount do not sum to zero
 */
export async function appendEntry(
  client: PoolClient,
  deps: Pick<Deps, 'clock' | 'ids'>,
  entry: NewEntry,
): Promise<queries.EntryRow & { isRepeated?: boolean }> {
  const { organizationId, environment, kind, amountCents, reference = null, note = null, legs = [], actor } = entry;
  const { balanceCents, lastId } = await lockUsableBalance(client, organizationId, environment);
  if (reference !== null) {
    const [earlier] = await queries.selectEntryByReference(client, [organizationId, environment, reference]);
    if (earlier !== undefined) return { ...requireSame(earlier, entry), isRepeated: true };
  }
  requireBounds(balanceCents, amountCents);
  // Above the ids of earlier orders, so that entries are in id order where possible.
  const entryId = deps.ids.after(lastId).next();
  const createdAt = new Date(deps.clock.now());
  const rows = await queries.insertEntry(client, [
    organizationId,
    environment,
    entryId,
    kind,
    amountCents,
    reference,
    note,
    createdAt,
    encodeId('led', entryId),
  ]);
  if (legs.length > 0)
    await insertLegs(client, [
      organizationId,
      environment,
      entryId,
      legs.map(({ account }) => account),
      legs.map((leg) => leg.amountCents),
    ]);
  await recordEvent(client, deps, actor, {
    organizationId,
    environment,
    action: kind === 'funding' ? 'balance.funded' : 'balance.adjusted',
    target: encodeId('led', entryId),
    details: { amount_cents: amountCents, reference, note },
  });
  return rows[0] as queries.EntryRow;
}

function requireSame(earlier: queries.EntryRow, { kind, amountCents, reference }: NewEntry): queries.EntryRow {
  if (earlier.kind === kind && earlier.amount_cents === amountCents) return earlier;
  throw new OperatorError(
    `The reference “${reference}” belongs to another entry (${earlier.kind}, ${earlier.amount_cents} cents). Use a new reference for ${amountCents} cents.`,
  );
}

function requireBounds(balanceCents: number, amountCents: number): void {
  if (amountCents > MAX_BALANCE_CENTS - balanceCents)
    throw new OperatorError(
      `The balance is ${balanceCents} cents and cannot grow by ${amountCents}; the maximum is ${MAX_BALANCE_CENTS} cents.`,
    );
  if (balanceCents + amountCents < 0)
    throw new OperatorError(`The balance is ${balanceCents} cents; it cannot be reduced by ${-amountCents} cents.`);
}
