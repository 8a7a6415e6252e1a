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

/**
 * Names a delivery in 97 characters, letters and digits only: the left half of the `Message-ID`, and what providers are
 * asked to hand back with their news. It holds the organization, so that the news is looked up like everything else.
 */
export function encodeReference({ organizationId, environment, giftId, deliveryId }: DeliveryReference): string {
  return [organizationId, environment[0], giftId, deliveryId].join('').replaceAll('-', '');
}

export function decodeReference(text: string): DeliveryReference | undefined {
  const [, organizationId, environment, giftId, deliveryId] = PATTERN.exec(text) ?? [];
  if (!organizationId || !environment || !giftId || !deliveryId) return undefined;
  return {
    organizationId: toUuid(organizationId),
    environment: environments[environment as keyof typeof environments],
    giftId: toUuid(giftId),
    deliveryId: toUuid(deliveryId),
  };
}

/** Which mail to one of an organization's people; the ids are UUIDs. */
export interface NoticeReference {
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
