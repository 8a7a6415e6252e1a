import { encodeId } from '../../platform/base/ids.ts';
import { type MailLook, plainLook } from '../../platform/messaging/email-palette.ts';
import { plainMessage, plainName } from '../../platform/messaging/plain-name.ts';
import type { PageFace } from '../../platform/pages/layout.ts';
import { type BrandColors, brandStylePath, mailPalettes } from './colors.ts';

/** What an organization has set of its look; null: as the service. */
export interface Brand {
  color: string | null;
  text_color: string | null;
  footer: string | null;
  /** Stands for the organization's name if a gift has no sender's name. */
  sender_name: string | null;
  /** The address for the recipient's answers to mails. */
  reply_to: string | null;
  /** Of a gift's first email. */
  subject: string | null;
}

/** A brand as other rows carry it. */
export interface Face extends Brand {
  organization_id: string;
  logo_hash: string | null;
  logo_width: number | null;
  logo_height: number | null;
}

/** The brand of the organization `o`, or null. It needs `joinBrand`. */
export const brandColumn = `case when brand.organization_id is not null then json_build_object(
  'organization_id', brand.organization_id, 'color', brand.color, 'text_color', brand.text_color, 'footer', brand.footer,
  'sender_name', brand.sender_name, 'reply_to', brand.reply_to, 'subject', brand.subject, 'logo_hash', brand.logo_hash,
  'logo_width', brand.logo_width, 'logo_height', brand.logo_height) end as brand`;
export const joinBrand = 'left join brands brand on brand.organization_id = o.organization_id';

export interface ShownLogo {
  path: string;
  width: number;
  height: number;
}

const logoPath = (organizationId: string, hash: string) =>
  `/assets/logo/${encodeId('org', organizationId)}/${hash}.png`;

export const logoOf = ({
  organization_id,
  logo_hash,
  logo_width,
  logo_height,
}: Omit<Face, keyof Brand>): ShownLogo | undefined =>
  logo_hash === null || logo_width === null || logo_height === null
    ? undefined
    : { path: logoPath(organization_id, logo_hash), width: logo_width, height: logo_height };

const colorsOf = ({ color, text_color }: Pick<Brand, 'color' | 'text_color'>): BrandColors | undefined =>
  color === null || text_color === null ? undefined : { color, text_color };

/** Whom the recipient sees as the sender. A name that the order gave stays. */
export const shownSender = (senderName: string, organizationName: string, face: Face | null): string =>
  senderName === organizationName ? (face?.sender_name ?? senderName) : senderName;

export function pageFace(face: Face | null, organizationName: string): PageFace | undefined {
  if (face === null) return undefined;
  const colors = colorsOf(face);
  return {
    organizationName,
    logo: logoOf(face),
    footer: footerOf(face),
    stylePath: colors && brandStylePath(colors),
  };
}

export const footerOf = (face: Face | null): string | undefined =>
  face === null || face.footer === null ? undefined : plainMessage(face.footer);

/** @param publicUrl mails need absolute addresses */
export function mailLook(face: Face | null, organizationName: string, publicUrl: string): MailLook {
  if (face === null) return plainLook;
  const [colors, logo] = [colorsOf(face), logoOf(face)];
  return {
    ...(colors === undefined ? plainLook : mailPalettes(colors)),
    logo: logo && { ...logo, url: publicUrl + logo.path, name: plainName(organizationName) },
  };
}

const SENDER = '{sender}';

/** The subject that the organization chose, if any. @param senderName cleaned */
export const subjectOf = (face: Face | null, senderName: string): string | undefined =>
  face === null || face.subject === null ? undefined : plainName(face.subject.replaceAll(SENDER, () => senderName));
