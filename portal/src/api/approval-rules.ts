import { api, ORGANIZATION_PATH, unwrap } from './client.ts';
import type { components } from './schema.d.ts';

export type ApprovalRule = components['schemas']['ApprovalRule'];
/** A weaker rule that waits for a second person. */
export type AskedRule = components['schemas']['AskedApprovalRule'];

/** Which orders wait for an approval: the organization's rule first, then those of members. */
export const rulesQuery = (organizationId: string) => ({
  queryKey: ['approval-rules', organizationId] as const,
  queryFn: () =>
    unwrap(api.GET(`${ORGANIZATION_PATH}/approval-rules`, { params: { path: { organization_id: organizationId } } })),
});
