import { encodeId } from '../../platform/base/ids.ts';
import type { OrganizationRow } from './queries.ts';

/** The row with its ids encoded. */
export type PresentedOrganization = OrganizationRow;

export function presentOrganization(row: OrganizationRow): PresentedOrganization {
  const contact = row.billing_contact_member_id;
  return {
    organization_id: encodeId('org', row.organization_id),
    name: row.name,
    billing_contact_member_id: contact === null ? null : encodeId('mem', contact),
    created_at: row.created_at,
    suspended_at: row.suspended_at,
    gifts_held_at: row.gifts_held_at,
  };
}
