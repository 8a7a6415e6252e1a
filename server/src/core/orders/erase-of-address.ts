import type { EraseOfAddress } from '../address-owner.ts';
import { ERASED_ADDRESS } from '../gifts/gift/address.ts';
import { countKeysWith, erasePendingGifts } from './erasure-queries.ts';

/** Keys stay: a retry without its key would pay twice. Scans every order, so it comes before anything is locked. */
export const countKeysOf: EraseOfAddress = async (client, _deps, { organizationId, address }) => {
  const [left] = await countKeysWith(client, [organizationId, address]);
  return { idempotency_keys_left: left?.keys ?? 0 };
};

/** Of gifts that a `processing` order has not created yet. */
export const erasePendingOf: EraseOfAddress = async (client, _deps, { organizationId, address }) => {
  const [pending] = await erasePendingGifts(client, [organizationId, address, ERASED_ADDRESS]);
  const orders = pending?.orders ?? 0;
  return { orders_processing: orders, isFound: orders > 0 };
};
