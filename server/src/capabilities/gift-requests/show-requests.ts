import type { Static } from 'typebox';
import type { Deps } from '../../core/deps.ts';
import type { GiftInputBody } from '../../core/gifts/gift/schema.ts';
import { destination } from '../../platform/base/destination.ts';
import { BestowError } from '../../platform/base/errors.ts';
import { encodeId } from '../../platform/base/ids.ts';
import type { Scope } from '../../platform/base/principal.ts';
import { type PageRequest, readSearchPage, type SearchPage } from '../../platform/paging/read-page.ts';
import { expiryOf } from './expire-requests.ts';
import { orderBodyOf } from './order-body.ts';
import { listRequests as list, type RequestRow, selectRequest } from './queries.ts';
import { type GiftRequest, RequestedGift, type RequestState } from './schema.ts';

type ShowDeps = Pick<Deps, 'database'>;

/** Who looks: members see their own requests, those who decide see all. */
interface Viewer {
  memberId: string;
  mayApprove: boolean;
}

/** A page of requests, newest first. @throws BestowError `cursor_invalid` */
export async function listRequests(
  { database: { read } }: ShowDeps,
  { organizationId, environment }: Scope,
  viewer: Viewer,
  { state, ...request }: PageRequest & { state: RequestState | undefined },
): Promise<SearchPage<GiftRequest>> {
  const owner = [organizationId, environment] as const;
  const page = await readSearchPage(request, {
    prefix: 'ask',
    idOf: ({ request_id }: RequestRow) => request_id,
    exists: (id) => selectRequest(read, [...owner, id, viewer.memberId, viewer.mayApprove]),
    read: (direction, { above, below }, limit) =>
      list[direction](read, [...owner, above, below, limit, viewer.memberId, state ?? null, viewer.mayApprove]),
  });
  return { ...page, rows: page.rows.map((row) => present(row, viewer)) };
}

/** @throws BestowError `resource_missing` */
export async function showRequest(
  { database }: ShowDeps,
  { organizationId, environment }: Scope,
  viewer: Viewer,
  requestId: string,
): Promise<GiftRequest> {
  const { memberId, mayApprove } = viewer;
  const [row] = await selectRequest(database.pool, [organizationId, environment, requestId, memberId, mayApprove]);
  if (row === undefined) throw new BestowError('resource_missing');
  return present(row, viewer);
}

function presentGift({ delivery, personalization, ...gift }: GiftInputBody): Static<typeof RequestedGift> {
  const given: Record<string, unknown> = { ...gift, ...personalization, ...destination(delivery) };
  const fields = Object.keys(RequestedGift.properties).map((name) => [name, given[name] ?? null]);
  return Object.fromEntries(fields);
}

const present = (row: RequestRow, { memberId, mayApprove }: Viewer): GiftRequest => ({
  gift_request_id: encodeId('ask', row.request_id),
  // After a crash too: only an admin can go on with it.
  state: row.state === 'approving' ? 'open' : row.state,
  amount: row.amount_cents,
  category: row.category_id,
  gifts: row.gift && orderBodyOf(row.gift).gifts.map(presentGift),
  requested_by: row.member_email,
  agent: row.agent_name,
  is_own: row.member_id === memberId,
  created_at: row.created_at,
  expires_at: expiryOf(row),
  decided_by: row.state === 'approving' ? null : row.decider_email,
  decided_at: row.decided_at,
  reason: row.reason,
  order_id: row.order_id && encodeId('ord', row.order_id),
  batch_id: row.batch_id && encodeId('batch', row.batch_id),
  approvals: { needed: row.approvals_needed, given_by: row.approved_by },
  may_decide: mayApprove && row.may_decide,
  rule: row.yearly_rule,
  doubt: row.doubt,
});
