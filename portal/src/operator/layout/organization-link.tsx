import { Link } from '@tanstack/react-router';

interface OrganizationLinkProps {
  of: { organization_id: string; organization_name: string };
}

/** Leads to the organization of a row. It stays above a row that is a link itself. */
export const OrganizationLink = ({ of: { organization_id, organization_name } }: OrganizationLinkProps) => (
  <Link
    to="/organizations/$organizationId"
    params={{ organizationId: organization_id }}
    className="relative z-10 text-accent underline underline-offset-2 wrap-anywhere"
  >
    <bdi>{organization_name}</bdi>
  </Link>
);
