import { getRouteApi } from '@tanstack/react-router';
import { isReading, type Permission } from './permissions.ts';

const organizationRoute = getRouteApi('/signed-in/$organizationId/$environment');

/** Returns the organization and mode of the current URL, and what the person may do there. */
export function useScope() {
  const { me, membership, environment } = organizationRoute.useRouteContext();
  const includes = (...some: readonly Permission[]) => some.some((one) => membership.permissions.includes(one));
  const lacksSecondFactor = membership.role !== 'member' && membership.requires_second_factor && !me.is_two_factor;
  const isReadOnly = membership.is_suspended || lacksSecondFactor;
  return {
    me,
    membership,
    environment,
    organizationId: membership.organization_id,
    /** Whether the role includes one of them, also where nothing can be changed now. */
    includes,
    /** Whether the person can do one of them now. */
    may: (...some: readonly Permission[]) => includes(...some.filter((one) => isReading(one) || !isReadOnly)),
    /** Whether the role could change something, but nothing until the person signs in with a second factor. */
    lacksSecondFactor: lacksSecondFactor && !membership.permissions.every(isReading),
    currency: me.service.currency,
    /** What all gifts have for the marks of a message. */
    marks: {
      currency: me.service.currency,
      organizationName: membership.organization_name,
      organizationLanguage: membership.language,
    },
    /** Route parameters, for links within the organization and mode. */
    params: { organizationId: membership.organization_id, environment },
    /** Path parameters, for API calls. */
    path: { organization_id: membership.organization_id, environment },
  };
}
