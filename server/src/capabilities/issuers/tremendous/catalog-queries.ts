import type { Offer } from '../../../core/issuer/offers.ts';
import { statement } from '../../../platform/database/statement.ts';

type OfIssuer = [organizationId: string, issuerId: string];
type OfGift = [...OfIssuer, valueCents: number, country: string | null];

/** Replaces the products by those that were read, as JSON. A picture stays while its address does. */
export const replaceProducts = statement<[...OfIssuer, products: string, now: Date]>(
  'tremendous_products.replace',
  `with read as materialized (
     select * from jsonb_to_recordset($3::jsonb) as p (product_id text, position integer, name text, description text,
       instructions text, terms text, kind text, words text, countries text[], amounts int8multirange, picture_url text)
   ), gone as (
     delete from tremendous_products where organization_id = $1 and issuer_id = $2
       and product_id not in (select product_id from read)
   )
   insert into tremendous_products as t (organization_id, issuer_id, product_id, position, name, description, instructions,
     terms, kind, words, countries, amounts, picture_url, read_at)
   select $1, $2, product_id, position, name, description, instructions, terms, kind, words, countries, amounts, picture_url, $4
   from read
   on conflict (organization_id, issuer_id, product_id) do update
   set position = excluded.position, name = excluded.name, description = excluded.description,
     instructions = excluded.instructions, terms = excluded.terms, kind = excluded.kind, words = excluded.words,
     countries = excluded.countries, amounts = excluded.amounts, picture_url = excluded.picture_url,
     picture_id = case when t.picture_url = excluded.picture_url then t.picture_id end, read_at = excluded.read_at`,
);

/** Products whose pictures are not drawn yet. */
export const selectUndrawn = statement<OfIssuer, { product_id: string; picture_url: string }>(
  'tremendous_products.list_undrawn',
  `select product_id, picture_url from tremendous_products t
   where organization_id = $1 and issuer_id = $2 and picture_url is not null and not exists (
     select from issuer_pictures p where p.organization_id = $1 and p.picture_id = t.picture_id)
   order by position`,
);

/** Keeps a picture, and gives it to a product that still has its address. */
export const keepPicture = statement<
  [...OfIssuer, productId: string, pictureUrl: string, pictureId: string, content: Buffer]
>(
  'tremendous_products.keep_picture',
  `with kept as (
     insert into issuer_pictures (organization_id, picture_id, content) select $1, $5, $6
     on conflict do nothing
   )
   update tremendous_products set picture_id = $5
   where organization_id = $1 and issuer_id = $2 and product_id = $3 and picture_url = $4`,
);

/** Deletes pictures that no product of the organization has. */
export const deleteUnusedPictures = statement<[organizationId: string]>(
  'issuer_pictures.delete_unused',
  `delete from issuer_pictures p where organization_id = $1 and not exists (
     select from tremendous_products t where t.organization_id = $1 and t.picture_id = p.picture_id)`,
);

/** Null if there are no products. */
export const selectReadAt = statement<OfIssuer, { read_at: Date | null }>(
  'tremendous_products.select_read_at',
  'select max(read_at) as read_at from tremendous_products where organization_id = $1 and issuer_id = $2',
);

export interface ProductRow {
  product_id: string;
  name: string;
  description: string;
  instructions: string;
  terms: string;
  kind: Offer['kind'];
  picture_id: string | null;
}

/** A page of the products that take an amount, in a country, whose names have all words. */
export const selectProducts = statement<
  [...OfGift, words: readonly string[], limit: number, page: number],
  ProductRow & { total: number }
>(
  'tremendous_products.list',
  `with found as materialized (
     select product_id, position, name, kind, picture_id from tremendous_products
     where organization_id = $1 and issuer_id = $2 and amounts @> $3::bigint
       and ($4::text is null or countries = '{}' or $4 = any (countries))
       and not exists (select from unnest($5::text[]) as word where strpos(words, word) = 0)
   ), counted as (
     select count(*)::integer as total, greatest(1, ceil(count(*) / $6::numeric))::integer as pages from found
   )
   select f.product_id, f.name, '' as description, '' as instructions, '' as terms, f.kind, f.picture_id, c.total
   from found f, counted c order by f.position, f.product_id
   limit $6 offset $6 * (least($7::integer, (select pages from counted)) - 1)`,
);

/** Countries of the products that take an amount. */
export const selectCountries = statement<[...OfIssuer, valueCents: number], { country: string }>(
  'tremendous_products.list_countries',
  `select distinct unnest(countries) as country from tremendous_products
   where organization_id = $1 and issuer_id = $2 and amounts @> $3::bigint order by 1`,
);

export const selectProduct = statement<[...OfGift, productId: string], ProductRow>(
  'tremendous_products.select',
  `select product_id, name, description, instructions, terms, kind, picture_id from tremendous_products
   where organization_id = $1 and issuer_id = $2 and amounts @> $3::bigint
     and ($4::text is null or countries = '{}' or $4 = any (countries)) and product_id = $5`,
);
