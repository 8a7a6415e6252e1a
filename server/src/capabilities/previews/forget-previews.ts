import type { EraseOfAddress } from '../../core/address-owner.ts';
import type { Deps } from '../../core/deps.ts';
import type { DeleteOfSandbox } from '../../core/sandbox/sandbox-owner.ts';
import { DAY_MS } from '../../platform/base/id-time.ts';
import { deletePreviewsBefore, deletePreviewsOf, deletePreviewsWith } from './queries.ts';

/** For so long an agent learns that its token has expired. */
export const PREVIEWS_KEPT_DAYS = 1;

/** Deletes previews a day after they expired. */
export async function forgetOldPreviews({ clock, database }: Pick<Deps, 'clock' | 'database'>): Promise<void> {
  await deletePreviewsBefore(database.shards, [new Date(clock.now() - PREVIEWS_KEPT_DAYS * DAY_MS)]);
}

/** A preview is only an offer, so it is deleted: the agent can make another one. */
export const erasePreviewsOf: EraseOfAddress = async (client, _deps, { organizationId, address }) => {
  await deletePreviewsWith(client, [organizationId, address]);
  return {};
};

export const deletePreviewsOfSandbox: DeleteOfSandbox = async (client, organizationId) => {
  await deletePreviewsOf(client, [organizationId]);
  return {};
};
