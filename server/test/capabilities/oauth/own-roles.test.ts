import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { test } from 'node:test';
import { statusAndCode } from '../../harness/agent-grant.ts';
import { connectAssistant, createAssistant, openBrowser, terms, visit } from '../../harness/assistant.ts';
import { openForFile } from '../../harness/open-for-file.ts';
import { startTestService, type TestOrganization } from '../../harness/test-service.ts';

/** Grants of members whose own role includes changing agents. */

const service = openForFile(() => startTestService({ RATE_LIMIT_ADDRESS_PER_SECOND: '100000' }));
const codeOf = async (token: string) => (await statusAndCode(service, token))[1];

test('an own role with changing agents signs an assistant in, until the role changes', async () => {
  const organization = await service.organization();
  const integrator = await ownRole(organization, ['gifts', 'integrations', 'integrate']);
  const browser = await openBrowser(service, integrator.email);
  const { tokens } = await connectAssistant(service, organization, browser);
  assert.equal(await codeOf(tokens.access_token), undefined);
  const created = await browser.call('POST', `/organizations/${organization.organizationId}/sandbox/grants`, {
    ...terms(),
    expires_at: null,
  });
  const { token } = JSON.parse(created.text);
  assert.equal(await codeOf(token), undefined, created.text);
  await integrator.setPermissions(['gifts', 'integrations']);
  for (const one of [token, tokens.access_token]) assert.equal(await codeOf(one), 'api_key_revoked');
  await integrator.setPermissions(['integrate']);
  assert.equal(await codeOf(token), undefined);
});

test('a role that changes between the answer and its way back ends in an answer to the program', async () => {
  const organization = await service.organization();
  const integrator = await ownRole(organization, ['gifts', 'integrate']);
  const browser = await openBrowser(service, integrator.email);
  const assistant = await createAssistant(service);
  const connectionId = await assistant.begin(browser);
  const path = `/organizations/${organization.organizationId}/sandbox/connections/${connectionId}`;
  const agreed = await browser.call('POST', path, terms());
  assert.equal(agreed.status, 200, agreed.text);
  await integrator.setPermissions(['gifts']);
  const { status, location, text } = await visit(browser, JSON.parse(agreed.text).redirect_to);
  assert.equal(status, 303, text);
  assert.deepEqual(
    [location?.searchParams.get('error'), location?.searchParams.get('state')],
    ['access_denied', 'a state'],
  );
  assert.equal(location?.searchParams.get('code'), null);
});

/** A member with an own role, whose permissions can change. */
async function ownRole(organization: TestOrganization, permissions: readonly string[]) {
  const email = `${randomUUID()}@example.com`;
  const [roleId, memberId] = [service.service.deps.ids.next(), service.service.deps.ids.next()];
  await service.sql(
    `insert into custom_roles (organization_id, role_id, name, permissions, created_at) values ($1, $2, $3, $4, now())`,
    [organization.organizationUuid, roleId, email, permissions],
  );
  await service.sql(
    `insert into members (organization_id, member_id, email, role, custom_role_id, created_at)
     values ($1, $2, $3, 'custom', $4, now())`,
    [organization.organizationUuid, memberId, email, roleId],
  );
  return {
    email,
    setPermissions: (now: readonly string[]) =>
      service.sql('update custom_roles set permissions = $3 where organization_id = $1 and role_id = $2', [
        organization.organizationUuid,
        roleId,
        now,
      ]),
  };
}
