import assert from 'node:assert/strict';
import { test } from 'node:test';
import { addMember } from '../../../src/core/organizations/add-member.ts';
import { eraseMember } from '../../../src/surfaces/portal/sign-in/erase-member.ts';
import { openForFile } from '../../harness/open-for-file.ts';
import { OPERATOR } from '../../harness/operator.ts';
import { createPortalClient } from '../../harness/portal-client.ts';
import { startTestService } from '../../harness/test-service.ts';

const service = openForFile(() => startTestService());
const ADDRESS = 'Grace.Hopper@example.com';

/** Whether any table has the address, except the audit log, which cannot be altered. */
async function isStored(): Promise<string[]> {
  const tables = await service.sql<{ name: string }>(
    `select format('%I.%I', table_schema, table_name) as name from information_schema.tables
     where table_type = 'BASE TABLE' and table_schema in ('public', 'portal') and table_name <> 'audit_events'`,
  );
  const found: string[] = [];
  for (const { name } of tables)
    if ((await service.sql(`select from ${name} t where strpos(lower(t::text), lower('${ADDRESS}')) > 0`)).length > 0)
      found.push(name);
  return found;
}

test('an erased member’s address is gone, with mails, sessions and access', async () => {
  const { deps } = service.service;
  const [one, other] = [await service.organization(), await service.organization()];
  const add = async ({ organizationId }: typeof one) =>
    (await addMember(deps, { organizationId, email: ADDRESS, role: 'member', actor: OPERATOR })).member_id;
  const [first, second] = [await add(one), await add(other)];
  const person = await createPortalClient(service, ADDRESS);
  await eraseMember(deps, { organizationId: one.organizationId, memberId: first, actor: OPERATOR });
  assert.equal((await person.call('GET', '/me')).body.memberships.length, 1);
  const erased = await eraseMember(deps, { organizationId: other.organizationId, memberId: second, actor: OPERATOR });
  assert.ok(erased.deactivated_at);
  assert.equal((await person.call('GET', '/me')).status, 401);
  await service.sql('delete from portal.codes');
  assert.deepEqual(await isStored(), []);
});

test('the last active admin cannot be erased', async () => {
  const { organizationId, memberId } = await service.organization();
  await assert.rejects(eraseMember(service.service.deps, { organizationId, memberId, actor: OPERATOR }), {
    message: /is the last active admin/,
  });
});
