import type { EraseOfAddress } from '../../core/address-owner.ts';
import { deleteViewsFor } from './queries.ts';

/** Shorter parts are in many addresses, as `ann` is. */
const LEAST_LENGTH = 4;

/** Saved views that search for the address. */
export const eraseViewsOf: EraseOfAddress = async (client, _deps, { organizationId, address }) => {
  await deleteViewsFor(client, [organizationId, address, LEAST_LENGTH]);
  return {};
};
