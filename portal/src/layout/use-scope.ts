import { getRouteApi } from '@tanstack/react-router';

const organizationRoute = getRouteApi('/signed-in/$organizationId/$environment');

/** Returns the organization and mode of the current URL, and what the person may do there. */
export function useScope() {
  const { me, membership, environment } = organizationRoute.useRouteContext();
  return {
    me,
    membership,
    environment,
    organizationId: membership.organization_id,
    isAdmin: membership.role === 'admin',
    mayChange: membership.role === 'admin' && !membership.is_suspended,
    currency: me.service.currency,
    /** Route parameters, for links within the organization and mode. */
    params: { organizationId: membership.organization_id, environment },
    /** Path parameters, for API calls. */
    path: { organization_id: membership.organization_id, environment },
  };
}
