import type { PoolClient } from 'pg';
import type { EraseOfAddress } from '../../core/address-owner.ts';
import { deleteContactsOf, selectHeldContacts } from './queries.ts';

/** A contact is nothing but the person, so it is deleted. */
export const eraseContactsOf: EraseOfAddress = async (client, _deps, { organizationId, address }) => {
  const deleted = await deleteContactsOf(client, [organizationId, address]);
  return { isFound: deleted.length > 0 };
};

/** @param address in lower case */
export async function findContactsOf(client: PoolClient, organizationId: string, address: string): Promise<object[]> {
  const rows = await selectHeldContacts(client, [organizationId, address]);
  return rows.map(({ contact_id: _, ...held }) => held);
}
