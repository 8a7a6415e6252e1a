import type { EraseOfAddress } from '../address-owner.ts';
import { deleteSpendingOf } from './queries.ts';
import { recipientHolder } from './recipient-holder.ts';

/** The counters of a recipient: a guessed address would match their hash. */
export const eraseSpendingOf: EraseOfAddress = async (client, _deps, { organizationId, address }) => {
  await deleteSpendingOf(client, [organizationId, recipientHolder(organizationId, address)]);
  return {};
};
