import type { EraseOfAddress } from '../../core/address-owner.ts';
import { deleteGiftsOf, lockContactsOf } from './work-queries.ts';

/**
 * The yearly gifts of the person's contacts, which are deleted too. Before orders and gifts are erased, because a rule that
 * places an order holds the lock of its gift.
 */
export const eraseYearlyGiftsOf: EraseOfAddress = async (client, _deps, { organizationId, address }) => {
  const contacts = await lockContactsOf(client, [organizationId, address]);
  const ids = contacts.map(({ contact_id }) => contact_id);
  await deleteGiftsOf(client, [organizationId, ids]);
  return { isFound: ids.length > 0 };
};
