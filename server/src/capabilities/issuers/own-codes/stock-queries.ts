import { setStockWarned } from '../../../core/issuer/statement-parts.ts';
import { statement, statementOnEachShard } from '../../../platform/database/statement.ts';

/** The codes in stock of the issuer `i`, counted up to its limit. @param today the statement's parameter */
const left = (today: '$1' | '$2' | '$4') => `(select count(*) from (
     select from shop_codes s
     where s.organization_id = i.organization_id and s.gift_id is null and s.set_aside_at is null
       and (i.category_id is null or s.category_id = i.category_id)
       and (s.expires is null or s.expires > ${today}::date)
     limit i.low_stock) counted)`;

const watched = `i.removed_at is null and i.low_stock is not null`;

export const rearmStockWarnings = statementOnEachShard<[today: string]>(
  'issuers.rearm_stock_warnings',
  'every minute looks at every organization',
  `${setStockWarned('null')}
   where ${watched} and i.low_stock_warned_at is not null and ${left('$1')} >= i.low_stock`,
);

export const selectLowStocks = statementOnEachShard<
  [limit: number, today: string],
  { organization_id: string; issuer_id: string }
>(
  'issuers.list_low_stocks',
  'every minute looks at every organization',
  `select i.organization_id, i.issuer_id from issuers i
   where ${watched} and i.low_stock_warned_at is null and ${left('$2')} < i.low_stock
   order by i.organization_id, i.issuer_id limit $1`,
);

/** Returns no row if another process has sent the warning. */
export const claimStockWarning = statement<
  [organizationId: string, issuerId: string, now: Date, today: string],
  { organization_name: string; category: string | null; left: number; limit: number }
>(
  'issuers.claim_stock_warning',
  `${setStockWarned('$3')} from organizations o
   where i.organization_id = $1 and o.organization_id = $1 and i.issuer_id = $2 and i.low_stock_warned_at is null
   returning o.name as organization_name, i.category_id as category, ${left('$4')}::integer as left, i.low_stock as limit`,
);
