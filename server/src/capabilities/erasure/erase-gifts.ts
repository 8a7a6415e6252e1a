import type { EraseOfAddress } from '../../core/address-owner.ts';
import { ERASED_ADDRESS } from '../../core/gifts/gift/address.ts';
import { eraseGifts } from './gift-queries.ts';

const REASON = 'The recipient’s name and address were erased.';

/** With their messages and cards, and what their orders would tell of it. */
export const eraseGiftsOf: EraseOfAddress = async (client, { clock }, { organizationId, address }) => {
  const now = new Date(clock.now());
  const [erased] = await eraseGifts(client, [organizationId, address, ERASED_ADDRESS, REASON, now]);
  if (erased === undefined) throw new Error('Counts always have a row.');
  return { ...erased, isFound: erased.gifts > 0 };
};
