import { Type } from 'typebox';
import { Cents, nullable, Time } from '../../platform/api/schema.ts';
import { BestowError } from '../../platform/base/errors.ts';
import { timeOfId } from '../../platform/base/id-time.ts';
import { decodeId, encodeId } from '../../platform/base/ids.ts';
import { sortById } from '../../platform/database/sort-by-id.ts';
import { HIGHEST } from '../../platform/paging/read-page.ts';
import type { AllDeps } from '../deps.ts';
import { type OrganizationLineRow, selectOrganizationLines } from './queries.ts';

export const OrganizationLine = Type.Object(
  {
    organization_id: Type.String(),
    name: Type.String(),
    created_at: Time,
    suspended_at: nullable(Time),
    gifts_held_at: nullable(Time),
    live_balance: Cents,
    sandbox_balance: Cents,
    owed: Cents,
    last_order_at: nullable(Type.Unsafe<Date>({ ...Time, description: 'The last live order.' })),
    failed_gifts: Type.Integer({ description: 'Live gifts whose message failed, up to 100.' }),
    issuers: Type.Array(Type.String({ description: 'Kinds; none: live cards are simulated.' })),
    waiting_approvals: Type.Integer(),
  },
  { $id: 'OrganizationLine' },
);

/**
 * Finds organizations, newest first, without those of a server that does not answer.
 *
 * @param search `query` is a part of a name, or an id; `after` the last one of the page before
 * @throws BestowError `cursor_invalid`
 */
export async function findOrganizationLines(
  { database }: Pick<AllDeps, 'database'>,
  { query, after, limit }: { query?: string | undefined; after?: string | undefined; limit: number },
) {
  const below = after === undefined ? HIGHEST : decodeId('org', after);
  if (below === undefined) throw new BestowError('cursor_invalid');
  const text = query?.trim() ?? '';
  const id = decodeId('org', text);
  const name = id === undefined && text !== '' ? text : null;
  const rows = await selectOrganizationLines.ofLiving(database.shards, [name, id ?? null, below, limit]);
  return sortById(rows, 'organization_id').reverse().slice(0, limit).map(presentLine);
}

function presentLine({
  organization_id,
  last_live_order_id,
  live_cents,
  sandbox_cents,
  owed_cents,
  ...row
}: OrganizationLineRow) {
  return {
    ...row,
    organization_id: encodeId('org', organization_id),
    live_balance: live_cents,
    sandbox_balance: sandbox_cents,
    owed: owed_cents,
    last_order_at: last_live_order_id === null ? null : timeOfId(last_live_order_id),
  };
}
