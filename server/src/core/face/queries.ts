import { statement } from '../../platform/database/statement.ts';
import type { Brand, Face } from './face.ts';

const columns =
  'organization_id, color, text_color, footer, sender_name, reply_to, subject, logo_hash, logo_width, logo_height';

export const selectBrand = statement<[organizationId: string], Face>(
  'brands.select',
  `select ${columns} from brands where organization_id = $1`,
);

type Values = [
  color: string | null,
  textColor: string | null,
  footer: string | null,
  senderName: string | null,
  replyTo: string | null,
  subject: string | null,
];

/** Returns no row if nothing changes. */
export const upsertBrand = statement<[organizationId: string, ...Values], Brand>(
  'brands.upsert',
  `insert into brands (organization_id, color, text_color, footer, sender_name, reply_to, subject)
   values ($1, $2, $3, $4, $5, $6, $7)
   on conflict (organization_id) do update
   set color = $2, text_color = $3, footer = $4, sender_name = $5, reply_to = $6, subject = $7
   where (brands.color, brands.text_color, brands.footer, brands.sender_name, brands.reply_to, brands.subject) is distinct from ($2, $3, $4, $5, $6, $7)
   returning color, text_color, footer, sender_name, reply_to, subject`,
);

/** Nulls remove the logo. Returns no row if nothing changes. */
export const upsertLogo = statement<
  [organizationId: string, logo: Buffer | null, hash: string | null, width: number | null, height: number | null],
  { organization_id: string }
>(
  'brands.upsert_logo',
  `insert into brands (organization_id, logo, logo_hash, logo_width, logo_height) values ($1, $2, $3, $4, $5)
   on conflict (organization_id) do update set logo = $2, logo_hash = $3, logo_width = $4, logo_height = $5
   where brands.logo_hash is distinct from $3
   returning organization_id`,
);

export const selectLogo = statement<
  [organizationId: string],
  { logo: Buffer; logo_hash: string; logo_width: number; logo_height: number }
>(
  'brands.select_logo',
  'select logo, logo_hash, logo_width, logo_height from brands where organization_id = $1 and logo is not null',
);
