import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import type { Environment } from '../../src/platform/base/environment.ts';
import type { PortalClient } from './portal-client.ts';
import type { TestOrganization } from './test-service.ts';

export const giftTo = (email: string, amount = 2500) => ({
  amount,
  category: 'coffee',
  delivery: { method: 'email', email },
  personalization: { recipient_name: 'Ada', message: 'Thank you' },
});

export const requestsPath = ({ organizationId }: TestOrganization, more = '', environment: Environment = 'sandbox') =>
  `/organizations/${organizationId}/${environment}/gift-requests${more}`;

export async function allowRequests(admin: PortalClient, { organizationId }: TestOrganization): Promise<void> {
  const path = `/organizations/${organizationId}/gift-request-policy`;
  assert.equal((await admin.call('PUT', path, { is_allowed: true })).status, 204);
}

/** Asks for a gift as the portal does; returns the request's id. */
export async function ask(member: PortalClient, path: string, gift: object, formId = randomUUID()): Promise<string> {
  const { status, body } = await member.call('POST', path, { form_id: formId, gift });
  assert.equal(status, 200, JSON.stringify(body));
  return body.gift_request_id;
}
