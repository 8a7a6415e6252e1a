import type { Actor } from '../../platform/base/actor.ts';
import { decodeId, encodeId } from '../../platform/base/ids.ts';

/** Whom the ledger's entries and the audit log name. */
export const PROVIDER_ACTOR: Actor = { kind: 'operator', name: 'Stripe', address: 'webhook' };

const ORGANIZATION = 'bestow_organization';
const TOPUP = 'bestow_topup';

interface Owner {
  /** UUIDs. */
  organizationId: string;
  topupId: string;
}

/** Marks payments and customers at Stripe as an organization's. Only holders of the secret key can write it. */
export const metadataOf = ({ organizationId, topupId }: { organizationId: string; topupId?: string }) => ({
  [ORGANIZATION]: encodeId('org', organizationId),
  ...(topupId !== undefined && { [TOPUP]: encodeId('top', topupId) }),
});

/** @returns undefined for what the service did not create */
export function ownerOf(metadata: Record<string, string> | null): Owner | undefined {
  const organizationId = decodeId('org', metadata?.[ORGANIZATION] ?? '');
  const topupId = decodeId('top', metadata?.[TOPUP] ?? '');
  return organizationId === undefined || topupId === undefined ? undefined : { organizationId, topupId };
}

export const organizationOf = (metadata: Record<string, string> | null): string | undefined =>
  decodeId('org', metadata?.[ORGANIZATION] ?? '');
