import { rolesWith } from '../../platform/authentication/roles.ts';

// SQL expressions of the statement that places orders.

/** SQL: whether the role of a member `m` includes sending gifts. */
const mayOrder = `(m.role in (${rolesWith('order')
  .map((role) => `'${role}'`)
  .join(', ')}) or exists (
          select from custom_roles r where r.organization_id = m.organization_id and r.role_id = m.custom_role_id
            and 'order' = any (r.permissions)))`;

/** Salted with the order's id, so that one guess of a body costs a hash for each order. Earlier orders have no salt. */
export const salted = (order: string, body: string) => `sha256(uuid_send(${order}.order_id) || ${body}.fingerprint)`;

/** To whom the orders of an organization `o` are attributed: the billing contact, or the first admin. */
export const attributedMember = (organizationId: string) => `(
      select m.member_id from members m
      where m.organization_id = ${organizationId} and m.deactivated_at is null
        and (m.role = 'admin' or m.member_id = o.billing_contact_member_id)
      order by m.member_id is distinct from o.billing_contact_member_id, m.created_at, m.member_id limit 1
    ) as member_id`;

/** The member if they are active and their role includes sending gifts, else null. */
export const activeSender = (organizationId: string, memberId: string) => `(
        select m.member_id from members m
        where m.organization_id = ${organizationId} and m.member_id = ${memberId} and ${mayOrder}
          and m.deactivated_at is null
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
