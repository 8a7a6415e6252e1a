import { foldAddress } from '../../platform/database/folding.ts';

/** SQL expression: the hash of an organization and an address, as `recipientHolder` makes it. */
export const holderOf = (organizationId: string, address: string) =>
  `encode(sha256(convert_to(${organizationId}::text || ' ' || ${foldAddress(address)}, 'UTF8')), 'hex')`;

/** SQL condition of the message `d` of the gift `g`: its reminder is still wanted. */
export const isReminderWanted = `d.link_version = g.link_version and d.address = g.address and g.claimed_at is null
    and g.canceled_at is null and g.held_at is null and g.declined_at is null
    and not exists (
      select from organizations o where o.organization_id = d.organization_id and o.gifts_held_at is not null)
    and not exists (
      select from unsubscribed u
      where u.organization_id = d.organization_id and u.holder = ${holderOf('d.organization_id', 'd.address')})`;
