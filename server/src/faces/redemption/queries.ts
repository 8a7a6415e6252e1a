import type { IssuedCardColumns } from '../../core/cards/issued-card.ts';
import { shownCategory } from '../../core/catalog/any-category.ts';
import { type NamedCategory, namingColumns } from '../../core/catalog/category-names.ts';
import { brandColumn, type Face, joinBrand } from '../../core/face/face.ts';
import { type GiftColumns, giftColumnsOf } from '../../core/gifts/gift/gift-fields.ts';
import { type HeldBy, heldBy } from '../../core/gifts/gift/held.ts';
import { type IssuerColumns, issuerColumns, joinIssuer } from '../../core/issuer/chosen-issuer.ts';
import type { Environment } from '../../platform/base/environment.ts';
import type { Program } from '../../platform/base/program.ts';
import { statement } from '../../platform/database/statement.ts';

type One = [organizationId: string, environment: Environment, giftId: string];

/** A gift as its page shows it. */
export interface LinkedGiftRow extends GiftColumns<'recipient'>, IssuerColumns, IssuedCardColumns, NamedCategory {
  organization_language: string | null;
  claiming_at: Date | null;
  /** Of the browser that claimed the gift or proved that the card is its own; null after a claim by a program. */
  holder_hash: Buffer | null;
  held_by: HeldBy;
  /** Why the issuer made no card, for the recipient. */
  refusal: string | null;
  /** The organization's, now. */
  program: Program;
  organization_name: string;
  /** The category's picture: an absolute URL, a path of this service, or null. */
  artwork: string | null;
  /** Of the organization. */
  brand: Face | null;
}

export const selectLinkedGift = statement<One, LinkedGiftRow>(
  'redemption.select_gift',
  `select ${giftColumnsOf('recipient')}, g.claiming_at, g.holder_hash, o.language as organization_language,
     ${namingColumns('c')}, c.artwork, k.state as card_state, k.provider_id, k.face, k.sealed, k.refusal, ${issuerColumns},
     ${heldBy}, o.program, o.name as organization_name, ${brandColumn}
   from gifts g join categories c on c.category_id = ${shownCategory('g')}
   join organizations o on o.organization_id = g.organization_id
   ${joinBrand}
   ${joinIssuer}
   where g.organization_id = $1 and g.environment = $2 and g.gift_id = $3`,
);
