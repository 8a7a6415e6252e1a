import type { Environment } from '../base/environment.ts';

/** Which message; the ids are UUIDs. */
export interface DeliveryReference {
  organizationId: string;
  environment: Environment;
  giftId: string;
  deliveryId: string;
}

const environments = { l: 'live', s: 'sandbox' } as const satisfies Record<string, Environment>;
const UUID_HEX = '[0-9a-f]{32}';
const PATTERN = new RegExp(`^(${UUID_HEX})([ls])(${UUID_HEX})(${UUID_HEX})$`);
const SHORT_PATTERN = /^[\w-]{66}$/;
const UUID_BYTES = 16;

/**
 * Names a delivery in 97 characters, letters and digits only: the left half of the `Message-ID`, and what providers are
 * asked to hand back with their news. It holds the organization, so that the news is looked up like everything else.
 */
export function encodeReference({ organizationId, environment, giftId, deliveryId }: DeliveryReference): string {
  return [organizationId, environment[0], giftId, deliveryId].join('').replaceAll('-', '');
}

/**
 * A delivery's reference in 66 characters, letters, digits, `-` and `_`, for a provider that hands back no more. Any
 * other text stays as it is.
 */
export function shortenReference(reference: string): string {
  const [, organizationId, environment, giftId, deliveryId] = PATTERN.exec(reference) ?? [];
  if (!organizationId || !environment || !giftId || !deliveryId) return reference;
  const hex = [organizationId, Buffer.from(environment).toString('hex'), giftId, deliveryId].join('');
  return Buffer.from(hex, 'hex').toString('base64url');
}

function lengthenReference(text: string): string {
  if (!SHORT_PATTERN.test(text)) return text;
  const bytes = Buffer.from(text, 'base64url');
  const environment = bytes.toString('latin1', UUID_BYTES, UUID_BYTES + 1);
  return [bytes.toString('hex', 0, UUID_BYTES), environment, bytes.toString('hex', UUID_BYTES + 1)].join('');
}

/** The delivery that either form names; undefined where it is neither. */
export function decodeReference(text: string): DeliveryReference | undefined {
  const [, organizationId, environment, giftId, deliveryId] = PATTERN.exec(lengthenReference(text)) ?? [];
  if (!organizationId || !environment || !giftId || !deliveryId) return undefined;
  return {
    organizationId: toUuid(organizationId),
    environment: environments[environment as keyof typeof environments],
    giftId: toUuid(giftId),
    deliveryId: toUuid(deliveryId),
  };
}

/** Which mail to one of an organization's people; the ids are UUIDs. */
interface NoticeReference {
  organizationId: string;
  noticeId: string;
}

const NOTICE_PATTERN = new RegExp(`^(${UUID_HEX})n(${UUID_HEX})$`);

/** Names a notice likewise, in 65 characters. It is not a delivery's, so providers' news of it is news of nothing. */
export function encodeNoticeReference({ organizationId, noticeId }: NoticeReference): string {
  return `${organizationId}n${noticeId}`.replaceAll('-', '');
}

export function decodeNoticeReference(text: string): NoticeReference | undefined {
  const [, organizationId, noticeId] = NOTICE_PATTERN.exec(text) ?? [];
  if (!organizationId || !noticeId) return undefined;
  return { organizationId: toUuid(organizationId), noticeId: toUuid(noticeId) };
}

const toUuid = (hex: string) => hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
