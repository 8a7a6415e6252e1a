import { statement, statementOnEachShard } from '../../platform/database/statement.ts';

type OfIssuer = [organizationId: string, issuerId: string];

export interface IssuerRow {
  organization_id: string;
  issuer_id: string;
  category_id: string | null;
  kind: string;
  settings: string;
  created_at: Date;
  removed_at: Date | null;
  reconciled_at: Date | null;
  low_stock: number | null;
  unspent_cents: number | null;
  /** Null: the issuer did not say its balance. */
  funding_checked_at: Date | null;
  /** Null: the balance suffices. */
  funding_warned_at: Date | null;
  /** Gifts claimed onto cards of this issuer. */
  cards: number;
}

const own = `organization_id, issuer_id, category_id, kind, settings, created_at, removed_at, reconciled_at, low_stock,
  unspent_cents, funding_checked_at, funding_warned_at`;
const columns = `${own},
  (select count(*)::integer from cards k where k.organization_id = i.organization_id and k.issuer_id = i.issuer_id) as cards`;

/** Returns no row if the category, or all others, have an issuer. */
export const insertIssuer = statement<
  [...OfIssuer, categoryId: string | null, kind: string, settings: string, lowStock: number | null, now: Date],
  IssuerRow
>(
  'issuers.insert',
  `insert into issuers (organization_id, issuer_id, category_id, kind, settings, low_stock, created_at, reconcile_at,
     funding_check_at)
   values ($1, $2, $3, $4, $5, $6, $7, $7::timestamptz + interval '1 day', $7)
   on conflict do nothing
   returning ${own}, 0 as cards`,
);

export const selectIssuers = statement<[organizationId: string], IssuerRow>(
  'issuers.list',
  `select ${columns} from issuers i where i.organization_id = $1 order by i.removed_at nulls first, i.issuer_id`,
);

export const selectIssuerOf = statementOnEachShard<[issuerId: string], IssuerRow>(
  'issuers.select_owner',
  'the operator gives only the issuer’s id',
  `select ${columns} from issuers i where i.issuer_id = $1`,
);

/** Returns no row if it was removed before. */
export const removeIssuer = statement<[...OfIssuer, now: Date], IssuerRow>(
  'issuers.remove',
  `update issuers i set removed_at = $3 where i.organization_id = $1 and i.issuer_id = $2 and i.removed_at is null
   returning ${columns}`,
);
