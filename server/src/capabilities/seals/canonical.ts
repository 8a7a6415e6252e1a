import { encodeId } from '../../platform/base/ids.ts';
import type { SealedEntryRow, SealedEventRow } from './queries.ts';

const VERSION = 1;

/**
 * The text of a row that is hashed: JSON after RFC 8785 with the ids and names of the interface, its members in order. A
 * member that is null is left out, so that a new optional column leaves the text of earlier rows as it is.
 */
export const canonicalEntry = (row: SealedEntryRow): string =>
  JSON.stringify({
    amount: Number(row.amount_cents),
    balance_after: Number(row.balance_after_cents),
    created_at: timeOf(row.created_at),
    entry_id: encodeId('led', row.row_id),
    environment: row.environment,
    gift_id: row.gift_id === null ? undefined : encodeId('gift', row.gift_id),
    kind: row.kind,
    legs: row.legs?.map(({ account, amount }) => ({ account, amount: Number(amount) })),
    note: row.note ?? undefined,
    order_id: row.order_id === null ? undefined : encodeId('ord', row.order_id),
    organization_id: encodeId('org', row.organization_id),
    reference: row.reference ?? undefined,
    type: 'ledger_entry',
    version: VERSION,
  });

export const canonicalEvent = (row: SealedEventRow): string =>
  JSON.stringify({
    action: row.action,
    actor_address: row.actor_address,
    actor_kind: row.actor_kind,
    actor_member_id: row.actor_member_id === null ? undefined : encodeId('mem', row.actor_member_id),
    actor_name: row.actor_name,
    created_at: timeOf(row.created_at),
    details: sortMembers(row.details),
    environment: row.environment ?? undefined,
    event_id: encodeId('evt', row.row_id),
    organization_id: encodeId('org', row.organization_id),
    target: row.target ?? undefined,
    type: 'audit_event',
    version: VERSION,
  });

/** `2026-11-21T12:00:00.000Z`, as everywhere; microseconds only if there are any. */
const timeOf = (microseconds: string) => microseconds.replace(/000Z$/, 'Z');

function sortMembers(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sortMembers);
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).map(([name, member]) => [name, sortMembers(member)] as const);
  return Object.fromEntries(entries.sort(([one], [other]) => (one < other ? -1 : 1)));
}
