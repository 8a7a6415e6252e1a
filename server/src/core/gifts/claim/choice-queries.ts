import type { Environment } from '../../../platform/base/environment.ts';
import { statement } from '../../../platform/database/statement.ts';
import { ANY_CATEGORY } from '../../catalog/any-category.ts';
import { isNotClaiming, isNotHeld, unheldOrganization } from '../gift/held.ts';

type OfGift = [organizationId: string, environment: Environment, giftId: string];

const isOpen = `g.organization_id = $1 and g.environment = $2 and g.gift_id = $3 and g.category_id = '${ANY_CATEGORY}'
     and g.claimed_at is null and g.canceled_at is null and g.is_waiting is null and ${isNotClaiming} and ${isNotHeld}`;
const isOffered = `c.category_id <> '${ANY_CATEGORY}' and c.retired_at is null`;

/** Sets what the recipient chose, until the claim. Returns no gift if it cannot be chosen. */
export const chooseCategory = statement<[...OfGift, linkVersion: number, categoryId: string], { gift_id: string }>(
  'gifts.choose_category',
  `with ${unheldOrganization}
   update gifts g set chosen_category_id = c.category_id from categories c
   where ${isOpen} and g.link_version = $4 and c.category_id = $5 and ${isOffered}
   returning g.gift_id`,
);

/** Sets the catalog's first category, for a claim without a page. */
export const chooseFirstCategory = statement<OfGift>(
  'gifts.choose_first_category',
  `with ${unheldOrganization}
   update gifts g set chosen_category_id = (
     select c.category_id from categories c where ${isOffered} order by c.position, c.category_id limit 1)
   where ${isOpen} and g.chosen_category_id is null`,
);
