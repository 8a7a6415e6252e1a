// SQL expressions of the statement that places orders.

/** To whom the organization's orders are attributed: the billing contact, or the first admin. */
export const attributedMember = (organizationId: string) => `coalesce((
      select contact.member_id from members contact
      where contact.organization_id = ${organizationId} and contact.member_id = o.billing_contact_member_id
        and contact.deactivated_at is null
    ), (
      select m.member_id from members m
      where m.organization_id = ${organizationId} and m.role = 'admin' and m.deactivated_at is null
      order by m.created_at, m.member_id limit 1
    )) as member_id`;

/** The member if they are an active admin, else null. */
export const activeAdmin = (organizationId: string, memberId: string) => `(
        select m.member_id from members m
        where m.organization_id = ${organizationId} and m.member_id = ${memberId} and m.role = 'admin'
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
