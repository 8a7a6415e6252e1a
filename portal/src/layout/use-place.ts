import { getRouteApi } from '@tanstack/react-router';

const organizationRoute = getRouteApi('/signed-in/$organizationId/$environment');

/** The organization and mode that a page is about, as its address says, and what the person may do there. */
export function usePlace() {
  const { me, membership, environment } = organizationRoute.useRouteContext();
  return {
    me,
    membership,
    environment,
    organizationId: membership.organization_id,
    isAdmin: membership.role === 'admin',
    mayChange: membership.role === 'admin' && !membership.is_suspended,
    currency: me.service.currency,
    /** For links to pages of the same organization and mode. */
    params: { organizationId: membership.organization_id, environment },
    /** For calls: the path's parameters. */
    path: { organization_id: membership.organization_id, environment },
  };
}
