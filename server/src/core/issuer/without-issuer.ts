import { ANY_CATEGORY } from '../catalog/any-category.ts';

/** SQL: whether no issuer makes the cards of an organization's live gifts in this category. */
export const hasNoIssuer = (organizationId: string, categoryId: string) =>
  `not exists (
        select from issuers i where i.organization_id = ${organizationId} and i.removed_at is null
          and (i.category_id is null or i.category_id = ${categoryId})
      )`;

/** SQL: whether an issuer makes the cards of an organization's live gifts in every category. */
export const hasIssuerOfAll = (organizationId: string) =>
  `(select true from issuers i where i.organization_id = ${organizationId} and i.category_id is null
          and i.removed_at is null limit 1) is not null`;

/** SQL: whether the recipient of a gift of the first category can claim it in the category `k`. */
const canBecome = (categoryId: string) =>
  `case ${categoryId} when '${ANY_CATEGORY}' then k.category_id <> '${ANY_CATEGORY}' and k.retired_at is null
          else k.category_id = ${categoryId} end`;

/** Query: the first category among those of an order's gifts whose live gifts could not be claimed; null if all could. */
export const categoryWithoutIssuer = (organizationId: string, categories: string) =>
  `(
        select k.category_id from unnest(${categories}) with ordinality as w (category_id, ordinality)
        join categories k on ${canBecome('w.category_id')}
        where ${hasNoIssuer(organizationId, 'k.category_id')}
        order by w.ordinality, k.position, k.category_id limit 1
      )`;
