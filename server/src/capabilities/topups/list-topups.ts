import type { Deps } from '../../core/deps.ts';
import { decodeId, encodeId } from '../../platform/base/ids.ts';
import { OperatorError } from '../../platform/base/operator-error.ts';
import { HIGHEST, type PageRequest, readSearchPage, type SearchPage } from '../../platform/paging/read-page.ts';
import * as queries from './queries.ts';
import type { Topup } from './schema.ts';

/**
 * A page of an organization's top-ups, newest first.
 *
 * @param organizationId UUID
 * @throws BestowError `cursor_invalid`
 */
export async function listTopups(
  { database }: Pick<Deps, 'database'>,
  organizationId: string,
  request: PageRequest,
): Promise<SearchPage<Topup>> {
  const page = await readSearchPage<queries.ListedRow>(request, {
    prefix: 'top',
    idOf: ({ topup_id }) => topup_id,
    exists: (topupId) => queries.selectTopup(database.read, [organizationId, topupId]),
    read: (direction, { above, below }, limit) =>
      queries.listTopups[direction](database.read, [organizationId, above, below, limit]),
  });
  return { ...page, rows: page.rows.map(present) };
}

interface ListedTopup extends Topup {
  organization_id: string;
}

interface TopupsRequest {
  /** UUID; undefined: of all organizations. */
  organizationId: string | undefined;
  limit: number;
  /** Only older ones than this `top_…`. */
  after: string | undefined;
}

/** The same of one or all organizations, for the operator. @throws OperatorError if `after` is not an id of a top-up */
export async function listAllTopups(
  { database }: Pick<Deps, 'database'>,
  { organizationId, limit, after }: TopupsRequest,
): Promise<ListedTopup[]> {
  const below = after === undefined ? HIGHEST : decodeId('top', after);
  if (below === undefined) throw new OperatorError(`${after} is not the id of a top-up, such as top_….`);
  const rows = await queries.selectTopups(database.shards, [organizationId ?? null, below, limit]);
  rows.sort((a, b) => (a.topup_id < b.topup_id ? 1 : -1));
  return rows
    .slice(0, limit)
    .map((row) => ({ organization_id: encodeId('org', row.organization_id), ...present(row) }));
}

/** Finds a top-up of any organization, for the operator; undefined if it does not exist. @param id `top_…` */
export async function findTopup({ database }: Pick<Deps, 'database'>, id: string): Promise<ListedTopup | undefined> {
  const topupId = decodeId('top', id);
  const row = topupId === undefined ? undefined : await queries.selectAnyTopup.find(database.shards, [topupId]);
  return row && { organization_id: encodeId('org', row.organization_id), ...present(row) };
}

function present(row: queries.ListedRow): Topup {
  const { kind, state } = row;
  return {
    topup_id: encodeId('top', row.topup_id),
    kind,
    state,
    amount: row.amount_cents,
    fee: row.fee_cents,
    taken_back: row.reversed_cents,
    can_be_paid: state === 'action_required' || (state === 'pending' && kind === 'checkout'),
    failure: row.failure,
    receipt_url: row.receipt_url,
    invoice_url: row.invoice_url,
    created_by: row.created_by,
    created_at: row.created_at,
    credited_at: row.credited_at,
  };
}
