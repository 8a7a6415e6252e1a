import { shownCategory } from '../../core/catalog/any-category.ts';
import { type NamedCategory, namingColumns } from '../../core/catalog/category-names.ts';
import { foldAddress } from '../../platform/database/folding.ts';
import { statementOnEachShard } from '../../platform/database/statement.ts';

const ANY_ORGANIZATION = 'gifts of every organization may have gone to the address';

/**
 * Live gifts at the address (lower case), and link gifts whose holder entered it, except those that are canceled, on hold or
 * not sent yet. Two probes of an index for each organization.
 */
const giftsAt = (columns: string) => {
  const newest = (source: string, isFound: string) => `(
       select ${columns} from ${source} join categories c on c.category_id = ${shownCategory('g')}
       where g.organization_id = o.organization_id and g.environment = 'live' and ${isFound}
         and g.canceled_at is null and g.is_waiting is null and g.held_at is null and (g.claimed_at is not null or o.gifts_held_at is null)
       order by g.gift_id desc limit $2
     )`;
  return `
   from organizations o
   cross join lateral (
     ${newest('gifts g', `${foldAddress('g.address')} = $1`)}
     union all
     ${newest(
       'card_proofs p join gifts g using (organization_id, environment, gift_id)',
       `p.organization_id = o.organization_id and p.environment = 'live' and ${foldAddress('p.holder_address')} = $1`,
     )}
   ) g`;
};

export interface FoundGiftRow extends NamedCategory {
  organization_id: string;
  organization_name: string;
  gift_id: string;
  link_version: number;
  sender_name: string;
  created_at: Date;
  opened_at: Date | null;
  claimed_at: Date | null;
  is_spent: boolean;
}

/** Newest first. */
export const selectGiftsAt = statementOnEachShard<[address: string, limit: number], FoundGiftRow>(
  'finder.select_gifts',
  ANY_ORGANIZATION,
  `select o.organization_id, o.name as organization_name, g.*
   ${giftsAt(`g.gift_id, g.link_version, g.sender_name, ${namingColumns('c')}, g.created_at, g.opened_at, g.claimed_at,
       g.spent_cents >= g.amount_cents as is_spent`)}
   order by g.gift_id desc limit $2`,
);

export const selectAnyAt = statementOnEachShard<[address: string, limit: number], { gift_id: string }>(
  'finder.select_any',
  ANY_ORGANIZATION,
  `select g.gift_id ${giftsAt('g.gift_id')} limit $2`,
);
