import type { PoolClient } from 'pg';
import type { EraseOfAddress } from '../../core/address-owner.ts';
import { deleteGiftsOf, lockContactsOf, selectGiftsOf } from './work-queries.ts';

/**
 * The yearly gifts of the person's contacts, which are deleted too, and of those that were deleted before. Before orders and
 * gifts are erased, because a rule that places an order holds the lock of its gift.
 */
export const eraseYearlyGiftsOf: EraseOfAddress = async (client, _deps, { organizationId, address }) => {
  const contacts = await lockContactsOf(client, [organizationId, address]);
  const ids = contacts.map(({ contact_id }) => contact_id);
  const deleted = await deleteGiftsOf(client, [organizationId, address, ids]);
  return { isFound: ids.length + deleted.length > 0 };
};

/** Also of contacts that were deleted. @param address in lower case */
export const findYearlyGiftsOf = (client: PoolClient, organizationId: string, address: string): Promise<object[]> =>
  selectGiftsOf(client, [organizationId, address]);
