import { type CallerParameters, type CallerRow, caller, callerColumns } from '../../platform/authentication/caller.ts';
import { statement, statementOfNone } from '../../platform/database/statement.ts';
import type { Language } from '../../platform/languages/languages.ts';

/** Names by language; null if the operator gave none. */
export type CategoryNames = { readonly [Tag in Language]?: string };

export interface CategoryRow {
  category_id: string;
  name: string;
  /** What recipients read instead, by language. */
  names: CategoryNames | null;
  description: string;
  /** A URL, or a path of this service. */
  artwork: string | null;
  /** Null: this service's page. */
  product_details_url: string | null;
  position: number;
  /** Null while it is sold. */
  retired_at: Date | null;
}

const columns = 'category_id, name, names, description, artwork, product_details_url, position, retired_at';

/** Lists all categories. All organizations share the catalog. */
export const selectCategories = statementOfNone<[], CategoryRow>(
  'categories.list',
  `select ${columns} from categories order by position, category_id`,
);

/** Lists what is sold, for `/v1`; one row without a category if nothing is sold. */
export const selectSoldCategories = statement<CallerParameters, CallerRow & (CategoryRow | { category_id: null })>(
  'categories.list_sold',
  `with ${caller({ needs: 'read' })}
   select ${callerColumns}, ${columns}
   from caller left join categories c on caller.caller_state = 'admitted' and c.retired_at is null
   order by c.position, c.category_id`,
);

/** Adds a category, at the end if no position is given. Returns no row if the id is taken. */
export const insertCategory = statementOfNone<
  [
    categoryId: string,
    name: string,
    description: string,
    artwork: string | null,
    productDetailsUrl: string | null,
    position: number | null,
    createdAt: Date,
    names: { readonly [language: string]: string | null },
  ],
  CategoryRow
>(
  'categories.insert',
  `insert into categories (category_id, name, description, artwork, product_details_url, position, created_at, names)
   values ($1, $2, $3, $4, $5, coalesce($6, (select coalesce(max(position), 0) + 1 from categories)), $7,
     nullif(jsonb_strip_nulls($8::jsonb), '{}'))
   on conflict (category_id) do nothing
   returning ${columns}`,
);

/** Null keeps a value. Artwork and details can be set to null, so each has a flag. A name that is null is removed. */
export const updateCategory = statementOfNone<
  [
    categoryId: string,
    name: string | null,
    description: string | null,
    changesArtwork: boolean,
    artwork: string | null,
    changesDetails: boolean,
    productDetailsUrl: string | null,
    position: number | null,
    isReinstated: boolean,
    names: { readonly [language: string]: string | null },
  ],
  CategoryRow
>(
  'categories.update',
  `update categories set
     name = coalesce($2, name),
     description = coalesce($3, description),
     artwork = case when $4::boolean then $5 else artwork end,
     product_details_url = case when $6::boolean then $7 else product_details_url end,
     position = coalesce($8, position),
     retired_at = case when $9::boolean then null else retired_at end,
     names = nullif(jsonb_strip_nulls(coalesce(names, '{}') || $10::jsonb), '{}')
   where category_id = $1
   returning ${columns}`,
);

export const retireCategory = statementOfNone<[categoryId: string, retiredAt: Date], CategoryRow>(
  'categories.retire',
  `update categories set retired_at = coalesce(retired_at, $2) where category_id = $1 returning ${columns}`,
);

export const selectCategoryExists = statementOfNone<[categoryId: string], { category_id: string }>(
  'categories.exists',
  'select category_id from categories where category_id = $1',
);
