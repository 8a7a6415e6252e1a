import { findOrganization } from '../../core/organizations/find-organization.ts';
import { encodeId } from '../../platform/base/ids.ts';
import type { StripeDeps } from '../stripe/open-stripe.ts';
import { metadataOf } from './payer.ts';
import * as queries from './queries.ts';
import { requireStripe } from './require-stripe.ts';

type CustomerDeps = Pick<StripeDeps, 'clock' | 'config' | 'database' | 'stripe'>;

/** The organization's customer at Stripe; undefined before its first top-up. */
export async function findCustomer({ database }: Pick<StripeDeps, 'database'>, organizationId: string) {
  const [row] = await queries.selectCustomer(database.pool, [organizationId]);
  return row?.customer_id;
}

/** Finds or creates it. Two at once get the same. @param organizationId UUID */
export async function requireCustomer(deps: CustomerDeps, organizationId: string): Promise<string> {
  const known = await findCustomer(deps, organizationId);
  if (known !== undefined) return known;
  const { client } = requireStripe(deps);
  const { name } = await findOrganization(deps, encodeId('org', organizationId));
  const created = await client.customers.create(
    { name, metadata: metadataOf({ organizationId }) },
    { idempotencyKey: `bestow-customer-${organizationId}` },
  );
  const [row] = await queries.insertCustomer(deps.database.pool, [
    organizationId,
    created.id,
    new Date(deps.clock.now()),
  ]);
  return row?.customer_id ?? created.id;
}
