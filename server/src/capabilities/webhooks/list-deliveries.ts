import type { Deps } from '../../core/deps.ts';
import { type Caller, parametersOf, requireAdmitted } from '../../platform/authentication/caller.ts';
import { BestowError } from '../../platform/base/errors.ts';
import { decodeId } from '../../platform/base/ids.ts';
import type { Page, PageRequest } from '../../platform/paging/read-page.ts';
import { type DeliveryRow, selectDeliveries } from './delivery-queries.ts';

/**
 * Returns a page of an endpoint's deliveries, newest event first, each with its attempts.
 *
 * @throws BestowError `cursor_invalid`, `resource_missing`; as `requireAdmitted`
 */
export async function listDeliveries(
  deps: Pick<Deps, 'database'>,
  caller: Caller,
  { endpointId, page }: { endpointId: string; page: PageRequest },
): Promise<Page<DeliveryRow>> {
  const isBackwards = page.before !== undefined;
  const given = page.before ?? page.after;
  const first = given === undefined ? null : decodeId('evt', given);
  const cursorInvalid = () =>
    new BestowError('cursor_invalid', { param: (isBackwards ? page.names?.before : page.names?.after) ?? 'after' });
  if (first === undefined) throw cursorInvalid();
  const rows = await selectDeliveries[isBackwards ? 'ascending' : 'descending'](deps.database.read, [
    ...parametersOf(caller),
    endpointId,
    first,
    page.limit + (first === null ? 1 : 2),
  ]);
  const [row] = rows;
  requireAdmitted(caller, row);
  if (!row.has_endpoint) throw new BestowError('resource_missing');
  const found = rows.filter(({ event_id }) => event_id !== null);
  if (first !== null && found.shift()?.event_id !== first) throw cursorInvalid();
  const shown = found.slice(0, page.limit);
  return { rows: isBackwards ? shown.reverse() : shown, hasMore: found.length > page.limit };
}
