import { includes } from '../../platform/authentication/role-sql.ts';

// SQL expressions of the statement that places orders.

/** Salted with the order's id, so that one guess of a body costs a hash for each order. Earlier orders have no salt. */
export const salted = (order: string, body: string) => `sha256(uuid_send(${order}.order_id) || ${body}.fingerprint)`;

/** To whom the orders of an organization `o` are attributed: the billing contact, or the first admin. */
export const attributedMember = (organizationId: string) => `(
      select m.member_id from members m
      where m.organization_id = ${organizationId} and m.deactivated_at is null
        and (m.role = 'admin' or m.member_id = o.billing_contact_member_id)
      order by m.member_id is distinct from o.billing_contact_member_id, m.created_at, m.member_id limit 1
    ) as member_id`;

/** The member who orders or approves if they are active and their role includes it, else null. @param placedBy `PlacedBy` */
export const activeBuyer = (organizationId: string, placedBy: string) => `(
        select m.member_id from members m
        where m.organization_id = ${organizationId} and m.member_id = (${placedBy} ->> 'member_id')::uuid
          and m.deactivated_at is null
          and case when ${placedBy} ->> 'claim_id' is null then ${includes('m', 'order')} else ${includes('m', 'approve')} end
      )`;

/** States of a caller without a key: what a key's caller is refused for, a member is too. */
export const statesOfMember = (
  organizationId: string,
) => `when r.key_hash = '' and o.suspended_at is not null then 'suspended'
       when r.key_hash = '' and r.environment = 'sandbox'
         and not exists (select from sandboxes s where s.organization_id = ${organizationId}) then 'sandbox_missing'`;

/**
 * When the gifts of an order expire: at the end of a day in UTC, so that the day is a whole one; null if they do not.
 *
 * @param from expression: when they are sent
 */
export const expiresAt = (order: string, from = `${order}.created_at`) =>
  `date_trunc('day', ${from} + make_interval(hours => 24 * (${order}.unclaimed_after_days + 1)), 'UTC')`;
