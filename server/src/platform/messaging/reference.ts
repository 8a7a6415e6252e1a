import type { Environment } from '../base/environment.ts';

/** Identifies a message to a recipient; the ids are UUIDs. */
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
 * Encodes a delivery as 97 letters and digits: the left half of the `Message-ID`, and the metadata that providers return
 * in webhook events. Includes the organization, so that events are looked up within it.
 */
export function encodeReference({ organizationId, environment, giftId, deliveryId }: DeliveryReference): string {
  return [organizationId, environment[0], giftId, deliveryId].join('').replaceAll('-', '');
}

/** Shortens a reference to 66 characters of base64url, for providers that allow no more. Returns other texts unchanged. */
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

/** Decodes either form; undefined if the text is not a reference. */
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

/** Identifies a notice to a member; the ids are UUIDs. A sign-in code has no organization. */
interface NoticeReference {
  organizationId: string | undefined;
  noticeId: string;
}

const NOTICE_PATTERN = new RegExp(`^(${UUID_HEX})?n(${UUID_HEX})$`);

/** Encodes a notice id in 65 characters, or 33 without an organization. Webhook events for notices are ignored. */
export function encodeNoticeReference({ organizationId, noticeId }: NoticeReference): string {
  return `${organizationId ?? ''}n${noticeId}`.replaceAll('-', '');
}

export function decodeNoticeReference(text: string): NoticeReference | undefined {
  const [, organizationId, noticeId] = NOTICE_PATTERN.exec(text) ?? [];
  if (!noticeId) return undefined;
  return { organizationId: organizationId && toUuid(organizationId), noticeId: toUuid(noticeId) };
}

const toUuid = (hex: string) => hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
