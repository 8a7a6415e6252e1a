import type { Deps } from '../../core/deps.ts';
import { decodeId } from '../../platform/base/ids.ts';
import { findLoggedRequest } from '../request-log/find-any-request.ts';
import { type FoundGiftRow, selectNamed } from './queries.ts';

/**
 * Selects the gifts that a logged request is about: those that its path names, otherwise those of its answer. Of a long answer
 * the log has only the first part.
 *
 * @param search.value `req_…`
 */
export async function giftsOfRequest(
  { database }: Pick<Deps, 'database'>,
  { value, limit }: { value: string; limit: number },
): Promise<FoundGiftRow[]> {
  const request = await findLoggedRequest({ database }, value);
  const organizationId = decodeId('org', request?.organization_id ?? '');
  if (request === undefined || organizationId === undefined) return [];
  const ofPath = idsIn(request.path);
  const { gifts, orders } = ofPath.gifts.length + ofPath.orders.length > 0 ? ofPath : idsIn(request.answer ?? '');
  if (gifts.length + orders.length === 0) return [];
  return selectNamed(database.read, [organizationId, request.environment, gifts, orders, limit]);
}

const idsIn = (text: string) => ({ gifts: idsOf('gift', text), orders: idsOf('ord', text) });

const idsOf = (prefix: 'gift' | 'ord', text: string): string[] => {
  const found = text.match(new RegExp(`\\b${prefix}_[0-9a-z]{26}\\b`, 'g')) ?? [];
  return [...new Set(found)].flatMap((id) => decodeId(prefix, id) ?? []);
};
