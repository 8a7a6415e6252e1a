import { stateColumns } from '../../core/gifts/find/statement-parts.ts';
import type { GiftState } from '../../core/gifts/gift/queries.ts';
import type { GiftHistoryState } from '../../core/gifts/gift/state.ts';
import type { Environment } from '../../platform/base/environment.ts';
import { foldAddress } from '../../platform/database/folding.ts';
import { statement, statementOnEachShard } from '../../platform/database/statement.ts';

export interface FoundGiftRow extends GiftState {
  organization_id: string;
  organization_name: string;
  environment: Environment;
  gift_id: string;
  order_id: string;
  amount_cents: number;
  method: 'email' | 'phone' | 'link';
  address: string | null;
  created_at: Date;
  canceled_at: Date | null;
  is_waiting: boolean | null;
  state: GiftHistoryState;
  is_kept: boolean;
}

const columns = `o.organization_id, o.name as organization_name, g.environment, g.gift_id, g.order_id, g.amount_cents, g.method,
     g.address, g.delivery_state, g.created_at, g.opened_at, g.claimed_at, g.canceled_at, g.is_waiting,
     ${stateColumns('g', 'o.organization_id')}`;

/** The key of an index begins with these. */
const ofOrganization = (table: string) =>
  `${table}.organization_id = o.organization_id and ${table}.environment in ('live', 'sandbox')`;

/** Gifts of every organization, newest first: probes of an index for each. @param source selects gifts `g` by `$1` */
const searchBy = (name: string, source: string) =>
  statementOnEachShard<[value: string, limit: number], FoundGiftRow>(
    `gift_search.${name}`,
    'the operator does not know whose gift it is',
    `select ${columns}
     from organizations o cross join lateral (
       ${source}
       order by gift_id desc limit $2
     ) g
     order by g.gift_id desc limit $2`,
  );

const giftsWith = (condition: string) => `select g.* from gifts g where ${ofOrganization('g')} and ${condition}`;

const giftsOfOrders = (condition: string) =>
  `select g.* from orders p join gifts g using (organization_id, environment, order_id)
       where ${ofOrganization('p')} and ${condition}`;

export const selectById = searchBy('by_id', giftsWith('g.gift_id = $1'));
export const selectByOrder = searchBy('by_order', giftsWith('g.order_id = $1'));
export const selectByExternalId = searchBy('by_external_id', giftsWith('g.external_id = $1'));
export const selectByOrderExternalId = searchBy('by_order_external_id', giftsOfOrders('p.external_id = $1'));
export const selectByIdempotencyKey = searchBy('by_idempotency_key', giftsOfOrders('p.idempotency_key = $1'));

/** An issued card has the id of its gift; one that the sandbox made with the gift has its own. */
export const selectByCard = searchBy(
  'by_card',
  `${giftsWith('g.gift_id = $1 and g.card_id = $1')}
       union all
       ${giftsWith('g.card_id = $1 and g.card_id <> g.gift_id')}`,
);

/** The card as its issuer names it. */
export const selectByIssuerCard = searchBy(
  'by_issuer_card',
  `select g.* from issuers i join cards k using (organization_id, issuer_id)
       join gifts g on g.organization_id = k.organization_id and g.environment = k.environment and g.gift_id = k.gift_id
       where i.organization_id = o.organization_id and k.provider_id = $1`,
);

/** Names of shops whose codes were ever uploaded: few, and the database knows a code only with its shop. */
export const selectShops = statementOnEachShard<[limit: number], { shop: string }>(
  'gift_search.list_shops',
  'the operator does not know whose code it is',
  'select distinct shop from shop_codes order by shop limit $1',
);

/** @param value fingerprints, separated by commas */
export const selectByCode = searchBy(
  'by_code',
  `select g.* from shop_codes s join gifts g on g.organization_id = s.organization_id and g.environment = 'live'
         and g.gift_id = s.gift_id
       where s.organization_id = o.organization_id and s.fingerprint = any (string_to_array($1, ','))`,
);

/** Gifts to the address (in lower case), and link gifts whose holder entered it. */
export const selectByAddress = searchBy(
  'by_address',
  `${giftsWith(`${foldAddress('g.address')} = $1`)}
       union all
       select g.* from card_proofs p join gifts g using (organization_id, environment, gift_id)
       where ${ofOrganization('p')} and ${foldAddress('p.holder_address')} = $1 and g.address is null`,
);

/** Newest first. */
export const selectNamed = statement<
  [
    organizationId: string,
    environment: Environment,
    giftIds: readonly string[],
    orderIds: readonly string[],
    limit: number,
  ],
  FoundGiftRow
>(
  'gift_search.named',
  `select ${columns}
   from gifts g join organizations o using (organization_id)
   where g.organization_id = $1 and g.environment = $2
     and (g.gift_id = any ($3::uuid[]) or g.order_id = any ($4::uuid[]))
   order by g.gift_id desc limit $5`,
);
