import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { reinstateOrganization } from '../../../src/core/organizations/reinstate-organization.ts';
import { suspendOrganization } from '../../../src/core/organizations/suspend-organization.ts';
import { isReading } from '../../../src/platform/authentication/permissions.ts';
import { linkGift } from '../../harness/api-client.ts';
import { openForFile } from '../../harness/open-for-file.ts';
import { OPERATOR } from '../../harness/operator.ts';
import { createPortalClient } from '../../harness/portal-client.ts';
import { giftsPath, orderGifts } from '../../harness/portal-gifts.ts';
import { startTestService } from '../../harness/test-service.ts';

/** `bestow org suspend`: what is left of the portal. */

const service = openForFile(() => startTestService({ RATE_LIMIT_ADDRESS_PER_SECOND: '100000' }));
const organization = openForFile(() => service.organization());
before(() => organization.addMembers());
const admin = openForFile(() => createPortalClient(service, 'admin@example.com'));

const actOn = async (act: typeof suspendOrganization | typeof reinstateOrganization) => {
  await act(service.service.deps, { organizationId: organization.organizationId, actor: OPERATOR });
};

test('a suspended organization is read-only except for keys, agents and holds', async () => {
  const [giftId] = await orderGifts(organization, [linkGift()], 'live');
  const keys = `/organizations/${organization.organizationId}/live/keys`;
  const link = giftsPath(organization, `/${giftId}/link`, 'live');
  assert.equal((await admin.call('GET', link)).status, 200);
  await actOn(suspendOrganization);

  const refused = await admin.call('GET', link);
  assert.deepEqual(
    [refused.status, refused.body.error.code, refused.body.error.message],
    [403, 'organization_suspended', 'The organization is suspended. Contact the operator of this service.'],
  );
  const ofOrganizations = service.service.app.portalRoutes.filter(({ path }) => path.startsWith('/organizations/'));
  const possible: Record<string, number> = { revokeKey: 404, revokeGrant: 404, holdGift: 404, holdGifts: 204 };
  for (const { method, path, needs = [], operationId, isPossibleWhileSuspended } of ofOrganizations) {
    const asked = path
      .replace('{organization_id}', organization.organizationId)
      .replace('{environment}', 'live')
      .replace(/\{\w+\}/g, 'x');
    const { status, body } = await admin.call(method, asked, {});
    const where = `${method} ${path}`;
    if (isPossibleWhileSuspended) assert.equal(possible[operationId], status, where);
    else if ([needs].flat().some((one) => !isReading(one)))
      assert.deepEqual([status, body.error?.code], [403, 'organization_suspended'], where);
    else
      assert.ok(
        (method === 'GET' ||
          ['reconcile', 'previewBrand', 'saveGiftView', 'renameGiftView', 'removeGiftView'].includes(operationId)) &&
          status !== 403,
        `${where}: ${status}`,
      );
  }
  assert.equal((await admin.call('GET', giftsPath(organization, `/${giftId}`, 'live'))).status, 200);
  const [key, ...others] = (await admin.call('GET', keys)).body.data;
  assert.deepEqual(others, []);
  const revoke = `${keys}/${key.key_id}/revoke`;
  const member = await createPortalClient(service, 'member@example.com');
  assert.deepEqual((await member.call('POST', revoke)).body.error.code, 'admin_required');
  const revoked = await admin.call('POST', revoke);
  assert.deepEqual([revoked.status, revoked.body.revoked_at !== null], [200, true]);

  await actOn(reinstateOrganization);
  assert.equal((await organization.live.get('/v1/gifts')).body.error.code, 'api_key_revoked');
  assert.equal((await admin.call('GET', link)).body.error.code, 'gift_on_hold');
  await admin.call('POST', `/organizations/${organization.organizationId}/gifts/release`);
  assert.equal((await admin.call('GET', link)).status, 200);
  assert.equal((await admin.call('POST', keys, { name: 'Web shop' })).status, 200);
});

test('members of a suspended organization can use their other organizations', async () => {
  const other = await service.organization();
  await actOn(suspendOrganization);
  const { body } = await admin.call('GET', '/me');
  assert.deepEqual(
    body.memberships.map(({ organization_id, is_suspended }: Record<string, unknown>) => [
      organization_id,
      is_suspended,
    ]),
    [
      [organization.organizationId, true],
      [other.organizationId, false],
    ],
  );
  const created = await admin.call('POST', `/organizations/${other.organizationId}/live/keys`, { name: 'Web shop' });
  assert.equal(created.status, 200);
  const member = await createPortalClient(service, 'member@example.com');
  const keys = await member.call('POST', `/organizations/${organization.organizationId}/live/keys`, { name: 'Mine' });
  assert.deepEqual([keys.status, keys.body.error.code], [403, 'admin_required']);
  assert.equal((await admin.call('POST', '/auth/sign-out', {})).status, 200);
  assert.equal((await admin.call('GET', '/me')).status, 401);
});
