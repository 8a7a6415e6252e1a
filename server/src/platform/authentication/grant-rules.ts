import { foldAddress } from '../database/folding.ts';
import { lackOf, type Need, notIncluded } from './permissions.ts';
import { includes } from './role-sql.ts';

// What the grant of an agent includes, as SQL for the statements that do the work.

/** What the grant of an agent lacks. */
export type GrantRefusal = `lacks_${Exclude<Need, 'read'> | 'everything'}` | 'foreign_recipient';

export const grantRefusals: Record<GrantRefusal, string> = {
  lacks_links: lackOf('links'),
  lacks_order: lackOf('order'),
  lacks_manage: lackOf('manage'),
  lacks_events: lackOf('events'),
  lacks_all: lackOf('all'),
  lacks_everything: 'An agent cannot do this with any grant. Ask a person to do it in the portal.',
  foreign_recipient: notIncluded('this recipient'),
};

/**
 * SQL: whether the grant of a token has ended: it was revoked, or its member is no longer active, or has a role that does not
 * include changing agents. The key is `k`, the grant `a`.
 */
export const isEnded = (organizationId: string) => `k.grant_id is not null and (
         a.grant_id is null or a.revoked_at is not null or a.member_id is not null and not exists (
           select from members m where m.organization_id = ${organizationId} and m.member_id = a.member_id
             and m.deactivated_at is null and ${includes('m', 'integrate')}
         )
       )`;

/** A state for a grant that lacks what a statement needs; of a statement that names nothing, every grant. */
export const lacking = (needs: Need | undefined): string => {
  if (needs === 'read') return '';
  if (needs === undefined) return `when k.grant_id is not null then 'lacks_everything'`;
  const isGranted = needs === 'all' ? 'a.reaches_all' : `'${needs}' = any (a.permissions)`;
  return `when k.grant_id is not null and not ${isGranted} then 'lacks_${needs}'`;
};

/** SQL: whether the caller may see and change a row of `orders` or `gifts`; the statement has the CTE `caller`. */
export const isInReach = (row: string) =>
  `((select own_grant_id from caller) is null or ${row}.grant_id = (select own_grant_id from caller))`;

/** SQL: whether a grant, or a caller with its columns, may send to an address; null is the address of a link gift. */
export const mayReceive = (grant: string, organizationId: string, address: string) =>
  `(${grant}.recipient_domains is null or ${foldAddress(`split_part(${address}, '@', 2)`)} = any (${grant}.recipient_domains))
       and (not ${grant}.members_only or exists (
         select from members m where m.organization_id = ${organizationId}
           and ${foldAddress('m.email')} = ${foldAddress(address)} and m.deactivated_at is null
       ))`;

/** A state for the `caller` of a statement that sends a gift to this address. */
export const foreignRecipient = (address: string) =>
  `when k.grant_id is not null and (${mayReceive('a', '$1', address)}) is not true then 'foreign_recipient'`;

/**
 * SQL query: rows that the caller may see. Of an agent that sees only its own, it takes them by the index of its grant, so
 * that the page costs the same among the rows of others. The statement has the CTE `caller`.
 *
 * @param select makes the query of a page from a condition, of all rows or of the agent's own
 */
export const rowsInReach = (select: (condition: string, own: boolean) => string) =>
  `(${select('(select own_grant_id from caller) is null', false)})
     union all
     (${select('grant_id = (select own_grant_id from caller)', true)})`;
