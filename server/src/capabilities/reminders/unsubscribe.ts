import { endReminders } from '../../core/delivery/end-reminders.ts';
import type { Deps } from '../../core/deps.ts';
import * as queries from './queries.ts';

interface FoundRecipient {
  organizationId: string;
  address: string;
  senderName: string;
  language: string | null;
  organization_language: string | null;
}

type UnsubscribeDeps = Pick<Deps, 'clock' | 'config' | 'database' | 'links'>;

/**
 * Ends the reminders of an organization to the address that a link was sent to, also if the link has expired or was replaced.
 *
 * @returns who sent the gift to whom; undefined if there is no such link
 */
export async function unsubscribe(deps: UnsubscribeDeps, token: string): Promise<FoundRecipient | undefined> {
  const found = await findRecipient(deps, token);
  if (found === undefined) return undefined;
  await endReminders(deps, found.organizationId, found.address);
  return found;
}

/** Returns who sent the gift to whom; undefined if there is no such link. */
export async function findRecipient(
  deps: Pick<Deps, 'config' | 'database' | 'links'>,
  token: string,
): Promise<FoundRecipient | undefined> {
  const claims = deps.links.read(token);
  if (claims === undefined || !deps.config.serveEnvironments.includes(claims.environment)) return undefined;
  const { organizationId, environment, giftId, version } = claims;
  const [row] = await queries.selectAddressOfLink(deps.database.read, [organizationId, environment, giftId, version]);
  if (row === undefined) return undefined;
  const { address, sender_name, ...languages } = row;
  return { organizationId, address, senderName: sender_name, ...languages };
}
