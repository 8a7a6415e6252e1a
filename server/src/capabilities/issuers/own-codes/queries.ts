import { statement } from '../../../platform/database/statement.ts';

type Stock = [organizationId: string, categoryId: string];

/** Takes the code of this value that expires first, if one is in stock. Others that take one at the same time get others. */
export const takeCode = statement<
  [...Stock, valueCents: number, giftId: string, now: Date, expiresAfter: string],
  { code_id: string }
>(
  'shop_codes.take',
  `with code as (
     select code_id from shop_codes
     where organization_id = $1 and category_id = $2 and value_cents = $3 and gift_id is null
       and set_aside_at is null and (expires is null or expires > $6::date)
     order by expires nulls last, code_id limit 1
     for update skip locked
   )
   update shop_codes s set gift_id = $4, handed_out_at = $5 from code
   where s.organization_id = $1 and s.code_id = code.code_id
   returning s.code_id`,
);

/** Pairs of values in stock that make up a value, the larger first. */
export const selectPairs = statement<
  [...Stock, valueCents: number, expiresAfter: string],
  { first_cents: number; second_cents: number }
>(
  'shop_codes.list_pairs',
  `with stock as materialized (
     select value_cents, count(*) as codes from shop_codes
     where organization_id = $1 and category_id = $2 and value_cents < $3 and gift_id is null
       and set_aside_at is null and (expires is null or expires > $4::date)
     group by value_cents
   )
   select a.value_cents as first_cents, b.value_cents as second_cents
   from stock a join stock b on a.value_cents + b.value_cents = $3
   where a.value_cents > b.value_cents or a.value_cents = b.value_cents and a.codes > 1
   order by a.value_cents desc limit 10`,
);

interface CodeRow {
  value_cents: number;
  sealed: string;
  expires: string | null;
  shop: string;
  terms_url: string | null;
}

export const selectCodes = statement<[organizationId: string, giftId: string], CodeRow>(
  'shop_codes.list_of_gift',
  `select value_cents, sealed, expires::text, shop, terms_url from shop_codes
   where organization_id = $1 and gift_id = $2 order by value_cents desc, code_id`,
);

/** Adds codes, as JSON, that are not known. */
export const insertCodes = statement<[...Stock, codes: string, now: Date], { code_id: string }>(
  'shop_codes.insert',
  `insert into shop_codes (organization_id, code_id, category_id, value_cents, sealed, fingerprint, expires, shop, terms_url,
     created_at)
   select $1, c.code_id, $2, c.value_cents, c.sealed, c.fingerprint, c.expires, c.shop, c.terms_url, $4
   from jsonb_to_recordset($3::jsonb) as c (code_id uuid, value_cents integer, sealed text, fingerprint text, expires date,
     shop text, terms_url text)
   on conflict do nothing
   returning code_id`,
);

export interface StockRow {
  category_id: string;
  value_cents: number;
  in_stock: number;
  expired: number;
  set_aside: number;
  handed_out: number;
  first_expires: string | null;
}

/** Codes that expired, or wait since a restore, are not in stock. */
export const selectStock = statement<[organizationId: string, today: string], StockRow>(
  'shop_codes.list_stock',
  `select category_id, value_cents,
     (count(*) filter (where is_left and not is_expired and not is_aside))::integer as in_stock,
     (count(*) filter (where is_left and is_expired))::integer as expired,
     (count(*) filter (where is_left and not is_expired and is_aside))::integer as set_aside,
     (count(*) filter (where not is_left))::integer as handed_out,
     (min(expires) filter (where is_left and not is_expired and not is_aside))::text as first_expires
   from (
     select category_id, value_cents, expires, gift_id is null as is_left, coalesce(expires <= $2::date, false) as is_expired,
       set_aside_at is not null as is_aside
     from shop_codes where organization_id = $1
   ) codes
   group by category_id, value_cents order by category_id, value_cents`,
);

/** Sets aside the codes in stock. */
export const setAside = statement<[organizationId: string, now: Date], { code_id: string }>(
  'shop_codes.set_aside',
  `update shop_codes set set_aside_at = $2
   where organization_id = $1 and gift_id is null and set_aside_at is null
   returning code_id`,
);

/** Puts codes back into stock; all that were set aside without fingerprints. */
export const release = statement<[...Stock, fingerprints: readonly string[] | null], { code_id: string }>(
  'shop_codes.release',
  `update shop_codes set set_aside_at = null
   where organization_id = $1 and category_id = $2 and gift_id is null and set_aside_at is not null
     and ($3::text[] is null or fingerprint = any ($3))
   returning code_id`,
);
