import type { EventFilters, PresentedEvent } from '../../src/platform/audit/list-events.ts';
import type { Actor } from '../../src/platform/base/actor.ts';
import { decodeId } from '../../src/platform/base/ids.ts';
import { listAuditEvents } from '../../src/surfaces/audit-log.ts';
import type { TestOrganization, TestService } from './test-service.ts';

/** Returns the events, newest first. */
export async function eventsOf(
  { service }: TestService,
  organizationId: string,
  filters: EventFilters = {},
): Promise<PresentedEvent[]> {
  return (
    await listAuditEvents(service.deps, {
      organizationId: decodeId('org', organizationId) ?? '',
      page: { limit: 100 },
      filters,
    })
  ).rows;
}

/** The organization's first admin, in the portal. */
export const memberOf = ({ memberId }: TestOrganization): Actor => ({
  kind: 'member',
  memberId: decodeId('mem', memberId) ?? '',
  email: 'admin@example.com',
  address: '203.0.113.7',
});
