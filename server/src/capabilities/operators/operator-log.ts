import { type Actor, actorName } from '../../platform/base/actor.ts';
import { BestowError } from '../../platform/base/errors.ts';
import { decodeId, encodeId } from '../../platform/base/ids.ts';
import type { PlatformDeps } from '../../platform/deps.ts';
import { insertOperatorEvent, selectOperatorEvents } from './queries.ts';

/** What an operator looked at or did. */
export interface OperatorEvent {
  event_id: string;
  /** An email address, or the user who ran a command. */
  operator: string;
  /** The operation of the page or of the command, such as `suspendOrganization`. */
  action: string;
  /** What it was about, such as `{ organization_id: 'org_…' }`. */
  details: Record<string, string>;
  reason: string | null;
  /** The client's IP address, or the host. */
  address: string;
  created_at: Date;
}

/** The operator's address, or the user who ran a command. */
export const operatorName = (actor: Actor): string => (actor.kind === 'operator' ? actor.name : actorName(actor));

/** Records what an operator is about to look at or do, before it happens. The database refuses changes to it. */
export async function recordOperatorEvent(
  { database, ids, clock }: Pick<PlatformDeps, 'database' | 'ids' | 'clock'>,
  {
    operator,
    address,
    action,
    details,
    reason = null,
  }: Omit<OperatorEvent, 'event_id' | 'created_at' | 'reason'> & { reason?: string | null },
): Promise<void> {
  const now = new Date(clock.now());
  await insertOperatorEvent(database.home, [
    ids.next(),
    operator,
    action,
    JSON.stringify(details),
    reason,
    address,
    now,
  ]);
}

/**
 * Lists what operators looked at and did, newest first.
 *
 * @param page `after`: only what is older than this event (`evt_…`)
 * @throws BestowError `cursor_invalid`
 */
export async function listOperatorEvents(
  { database }: Pick<PlatformDeps, 'database'>,
  { after, limit }: { after?: string | undefined; limit: number },
): Promise<OperatorEvent[]> {
  const before = after === undefined ? null : decodeId('evt', after);
  if (before === undefined) throw new BestowError('cursor_invalid');
  const rows = await selectOperatorEvents(database.home, [before, limit]);
  return rows.map((row) => ({ ...row, event_id: encodeId('evt', row.event_id) }));
}
