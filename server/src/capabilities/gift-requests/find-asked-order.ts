import type { Deps } from '../../core/deps.ts';
import { type KeyCaller, parametersOf, requireAdmitted } from '../../platform/authentication/caller.ts';
import { BestowError } from '../../platform/base/errors.ts';
import { type AskedRow, selectAskedOne, selectAskedWith } from './agent-queries.ts';

interface Found {
  /** What the grant asked for with this token. */
  asked: AskedRow | undefined;
  /** Whether an order of this amount needs an approval now. */
  isAsking: boolean;
}

/** Looks for the request of a preview's token. @throws BestowError as `requireAdmitted` */
export async function findAskedOrder(
  { database }: Pick<Deps, 'database'>,
  caller: KeyCaller,
  { orderKey, amountCents }: { orderKey: string; amountCents: number },
): Promise<Found> {
  const [row] = await selectAskedWith(database.pool, [...parametersOf(caller), orderKey]);
  requireAdmitted(caller, row);
  const isAsking = row.ask_above_cents !== null && amountCents > row.ask_above_cents;
  return { asked: row.request_id === null ? undefined : row, isAsking };
}

/** @throws BestowError `resource_missing`; as `requireAdmitted` */
export async function requireAskedOrder(
  { database }: Pick<Deps, 'database'>,
  caller: KeyCaller,
  requestId: string,
): Promise<AskedRow> {
  const [row] = await selectAskedOne(database.read, [...parametersOf(caller), requestId]);
  requireAdmitted(caller, row);
  if (row.request_id === null) throw new BestowError('resource_missing');
  return row;
}
