import type { Deps } from '../../core/deps.ts';
import type { IssuerRow } from '../../core/issuer/choose-issuer.ts';
import { listIssuers } from '../../core/issuer/choose-issuer.ts';
import { encodeId } from '../../platform/base/ids.ts';
import { adapters } from './adapters.ts';
import { listStock } from './own-codes/upload-codes.ts';

const CODES = 'codes';

/** An organization's issuers for its members: without the amount of the balance, which may be the operator's. */
export async function showIssuers(deps: Pick<Deps, 'clock' | 'database'>, organizationId: string) {
  const rows = await listIssuers(deps, organizationId);
  const stock = rows.some(({ kind }) => kind === CODES) ? await listStock(deps, organizationId) : [];
  const codesOf = ({ category_id }: IssuerRow) =>
    stock
      .filter((row) => category_id === null || row.category_id === category_id)
      .reduce((sum, row) => sum + row.in_stock, 0);
  return rows.map((row) => ({
    issuer_id: encodeId('iss', row.issuer_id),
    kind: row.kind,
    name: adapters[row.kind]?.name ?? row.kind,
    category: row.category_id,
    cards: row.cards,
    state: row.removed_at === null ? ('chosen' as const) : ('removed' as const),
    reconciled_at: row.kind === CODES ? null : row.reconciled_at,
    funding: fundingOf(row),
    stock:
      row.kind === CODES
        ? {
            codes: codesOf(row),
            is_low: row.removed_at === null && row.low_stock !== null && codesOf(row) < row.low_stock,
          }
        : null,
  }));
}

const fundingOf = ({ funding_checked_at, funding_warned_at, unspent_cents }: IssuerRow) =>
  funding_checked_at === null
    ? null
    : {
        state: funding_warned_at === null ? ('sufficient' as const) : ('low' as const),
        unspent: unspent_cents ?? 0,
        checked_at: funding_checked_at,
      };
