import assert from 'node:assert/strict';
import { test } from 'node:test';
import { allowRequests, ask, giftTo, requestsPath } from '../../harness/gift-requests.ts';
import { createPortalClient, type PortalClient } from '../../harness/portal-client.ts';
import { startTestService } from '../../harness/test-service.ts';

test('who decides requests sees how many wait', async () => {
  const service = await startTestService({ RATE_LIMIT_ADDRESS_PER_SECOND: '100000' });
  const organization = await service.organization();
  await organization.addMembers();
  const admin = await createPortalClient(service, 'admin@example.com');
  const member = await createPortalClient(service, 'member@example.com');
  const counted = async (person: PortalClient, environment = 'sandbox') => {
    const path = `/organizations/${organization.organizationId}/${environment}/gift-requests/open`;
    const { status, body } = await person.call('GET', path);
    return status === 403 ? 'not for this role' : body;
  };
  const none = { count: 0, has_more: false };
  await allowRequests(admin, organization);
  assert.deepEqual(await counted(admin), none);
  const path = requestsPath(organization);
  const first = await ask(member, path, giftTo('ada@example.com'));
  await ask(member, path, giftTo('grace@example.com'));
  assert.deepEqual(await counted(admin), { count: 2, has_more: false });
  assert.deepEqual([await counted(member), await counted(admin, 'live')], ['not for this role', none]);
  await admin.call('POST', requestsPath(organization, `/${first}/decline`), {});
  assert.deepEqual(await counted(admin), { count: 1, has_more: false });
  // Another hundred: the count ends at a hundred.
  await service.sql(
    `insert into gift_requests (organization_id, environment, request_id, form_id, order_key, member_id, amount_cents,
       category_id, gift, address, state, created_at)
     select organization_id, environment, gen_random_uuid(), gen_random_uuid(), 'k' || n, member_id, amount_cents,
       category_id, gift, address, state, created_at
     from gift_requests, generate_series(1, 100) as n where state = 'open'`,
  );
  assert.deepEqual(await counted(admin), { count: 100, has_more: true });
});
