import type { IssuedCardColumns } from '../../core/cards/issued-card.ts';
import { shownCategory } from '../../core/catalog/any-category.ts';
import { type NamedCategory, namingColumns } from '../../core/catalog/category-names.ts';
import { brandColumn, type Face, joinBrand } from '../../core/face/face.ts';
import { type HeldBy, heldBy } from '../../core/gifts/gift/held.ts';
import { type IssuerColumns, issuerColumns, joinIssuer } from '../../core/issuer/chosen-issuer.ts';
import type { Environment } from '../../platform/base/environment.ts';
import type { Program } from '../../platform/base/program.ts';
import { statement } from '../../platform/database/statement.ts';

type One = [organizationId: string, environment: Environment, giftId: string];

/** A gift as its page shows it. */
export interface LinkedGiftRow extends IssuerColumns, IssuedCardColumns, NamedCategory {
  gift_id: string;
  amount_cents: number;
  category_id: string;
  chosen_category_id: string | null;
  method: 'email' | 'phone' | 'link';
  /** Email or E.164 number; null for a link gift. */
  address: string | null;
  delivery_state: 'pending' | 'delivered' | 'failed' | null;
  recipient_name: string | null;
  sender_name: string;
  message: string | null;
  language: string | null;
  organization_language: string | null;
  link_version: number;
  opened_at: Date | null;
  claimed_at: Date | null;
  claiming_at: Date | null;
  card_id: string | null;
  spent_cents: number;
  /** Of the browser that claimed the gift or proved that the card is its own; null after a claim by a program. */
  holder_hash: Buffer | null;
  held_by: HeldBy;
  /** Why the issuer made no card, for the recipient. */
  refusal: string | null;
  canceled_at: Date | null;
  /** The note to the sender; null after an erasure. */
  thanks: string | null;
  thanked_at: Date | null;
  /** When the recipient said that they do not want it. */
  declined_at: Date | null;
  expires_at: Date | null;
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
  `select g.gift_id, g.amount_cents, g.category_id, g.chosen_category_id, g.method, g.address, g.delivery_state, g.recipient_name, g.sender_name,
     g.message, g.language, o.language as organization_language, g.link_version, g.opened_at, g.claimed_at, g.card_id, g.spent_cents, g.holder_hash, ${namingColumns('c')}, c.artwork,
     g.canceled_at, g.expires_at, g.claiming_at, k.state as card_state, k.provider_id, k.face, k.sealed, k.refusal, ${issuerColumns},
     ${heldBy}, o.program,
     o.name as organization_name, g.thanks, g.thanked_at, g.declined_at, ${brandColumn}
   from gifts g join categories c on c.category_id = ${shownCategory('g')}
   join organizations o on o.organization_id = g.organization_id
   ${joinBrand}
   ${joinIssuer}
   where g.organization_id = $1 and g.environment = $2 and g.gift_id = $3`,
);
