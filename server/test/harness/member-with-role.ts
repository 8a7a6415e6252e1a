import assert from 'node:assert/strict';
import type { RoleId } from '../../src/platform/authentication/roles.ts';
import { createPortalClient, type PortalClient } from './portal-client.ts';
import type { TestOrganization, TestService } from './test-service.ts';

export interface RoleMember extends PortalClient {
  memberId: string;
  email: string;
}

/** Invites a person as an admin does, accepts, and returns their portal. */
export async function memberWithRole(
  service: TestService,
  { organizationId }: TestOrganization,
  role: RoleId,
  email = `${role}@example.com`,
): Promise<RoleMember> {
  const admin = await createPortalClient(service, 'admin@example.com');
  const { status, body } = await admin.call('POST', `/organizations/${organizationId}/members`, { email, role });
  assert.equal(status, 200, JSON.stringify(body));
  const client = await createPortalClient(service, email);
  const accepted = await client.call('POST', `/invitations/${organizationId}/accept`);
  assert.equal(accepted.status, 204);
  return { ...client, memberId: body.member_id, email };
}
