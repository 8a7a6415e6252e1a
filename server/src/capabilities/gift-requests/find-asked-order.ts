import type { Deps } from '../../core/deps.ts';
import { type KeyCaller, parametersOf, requireAdmitted } from '../../platform/authentication/caller.ts';
import { BestowError } from '../../platform/base/errors.ts';
import { type AskedRow, selectAskedOne, selectAskedWith } from './agent-queries.ts';

interface Found {
  /** What the grant asked for with this token. */
  asked: AskedRow | undefined;
  /** An order above this amount needs an approval now; null for no order. */
  askAboveCents: number | null;
}

/** Looks for the request of a preview's token. @throws BestowError as `requireAdmitted` */
export async function findAskedOrder(
  { database }: Pick<Deps, 'database'>,
  caller: KeyCaller,
  orderKey: string,
): Promise<Found> {
  const [row] = await selectAskedWith(database.pool, [...parametersOf(caller), orderKey]);
  requireAdmitted(caller, row);
  return { asked: row.request_id === null ? undefined : row, askAboveCents: row.ask_above_cents };
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
