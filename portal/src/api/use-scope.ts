import { getRouteApi } from '@tanstack/react-router';

const organizationRoute = getRouteApi('/signed-in/$organizationId/$environment');

/** Returns the organization and mode of the current URL, and what the person may do there. */
export function useScope() {
  const { me, membership, environment } = organizationRoute.useRouteContext();
  const isAdmin = membership.role === 'admin';
  const isActive = !membership.is_suspended;
  const lacksSecondFactor = isAdmin && membership.requires_second_factor && !me.is_two_factor;
  const mayChange = isAdmin && isActive && !lacksSecondFactor;
  return {
    me,
    membership,
    environment,
    organizationId: membership.organization_id,
    isAdmin,
    /** An admin who can change nothing until they sign in with a second factor. */
    lacksSecondFactor,
    mayChange,
    /** Whether they may write gifts: admins send them, members ask for them. */
    mayWrite: mayChange || (!isAdmin && isActive && membership.members_may_request),
    currency: me.service.currency,
    /** Route parameters, for links within the organization and mode. */
    params: { organizationId: membership.organization_id, environment },
    /** Path parameters, for API calls. */
    path: { organization_id: membership.organization_id, environment },
  };
}
