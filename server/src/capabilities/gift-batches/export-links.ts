import type { Deps } from '../../core/deps.ts';
import { lockLinks } from '../../core/gifts/send/lock-links.ts';
import type { Actor } from '../../platform/base/actor.ts';
import { decodeId, encodeId } from '../../platform/base/ids.ts';
import type { Scope } from '../../platform/base/principal.ts';
import { LOCK_TIMEOUT_MS } from '../../platform/database/connections.ts';
import { inOrganization } from '../../platform/database/in-organization.ts';
import { recordEvent } from './actions.ts';
import { selectLinkGifts } from './queries.ts';
import type { BatchResult } from './schema.ts';
import { readAll, requireBatch, resultColumns } from './show-batches.ts';

type LinkDeps = Pick<Deps, 'clock' | 'config' | 'database' | 'ids' | 'links'>;
type LinkedResult = BatchResult & { link: string | null };

export const linkColumns = [...resultColumns, { key: 'link', header: 'Link' }] as const;

/**
 * Every row with its result and the link of its gift, recorded before the first row. Held, claimed and canceled gifts have
 * no link here; the page of a claimed gift still shows it. Expired links are renewed.
 *
 * @throws BestowError `resource_missing`, `resource_locked`
 */
export async function exportLinks(
  deps: LinkDeps,
  scope: Scope,
  { batchId, actor }: { batchId: string; actor: Actor },
): Promise<AsyncGenerator<LinkedResult, void>> {
  const { organizationId, environment } = scope;
  await requireBatch(deps, scope, batchId);
  const show = async (client: Parameters<typeof lockLinks>[0]) => {
    const placed = await selectLinkGifts(client, [organizationId, environment, batchId]);
    const giftIds = placed.map(({ gift_id }) => gift_id);
    const { count, linkOf } = await lockLinks(client, deps, scope, giftIds);
    const target = encodeId('batch', batchId);
    const exported = { action: 'batch.links_exported', details: { gifts: count }, target } as const;
    await recordEvent(client, deps, actor, { organizationId, environment, ...exported });
    return linkOf;
  };
  const linkOf = await inOrganization(deps.database, organizationId, show, { lockWaitMs: LOCK_TIMEOUT_MS });
  return withLinks(readAll(deps, scope, batchId), linkOf);
}

async function* withLinks(
  rows: AsyncIterable<BatchResult>,
  linkOf: (giftId: string) => string | undefined,
): AsyncGenerator<LinkedResult, void> {
  for await (const row of rows) {
    const giftId = row.gift_id === null ? undefined : decodeId('gift', row.gift_id);
    yield { ...row, link: (giftId && linkOf(giftId)) ?? null };
  }
}
