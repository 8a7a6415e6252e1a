import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { test } from 'node:test';
import { emailGift } from '../../harness/api-client.ts';
import { createSender, rowsTo } from '../../harness/batches.ts';
import { memberWithRole, type RoleMember } from '../../harness/member-with-role.ts';
import { openForFile } from '../../harness/open-for-file.ts';
import { createPortalClient } from '../../harness/portal-client.ts';
import { startTestService } from '../../harness/test-service.ts';

/** A sender sees what they or their team sent, and nothing else. */

const service = openForFile(() => startTestService({ RATE_LIMIT_ADDRESS_PER_SECOND: '100000' }));
const organization = openForFile(() => service.organization());
const admin = openForFile(() => createPortalClient(service, 'admin@example.com'));
const sender = openForFile(() => memberWithRole(service, organization, 'sender', 'sara@example.com'));
const colleague = openForFile(() => memberWithRole(service, organization, 'sender', 'carl@example.com'));
const at = (more: string) => `/organizations/${organization.organizationId}/sandbox${more}`;
const teams = (more = '') => `/organizations/${organization.organizationId}/teams${more}`;

async function send(client: Pick<RoleMember, 'call'>, localPart: string): Promise<{ orderId: string; giftId: string }> {
  const gifts = [{ ...emailGift(localPart), personalization: { recipient_name: localPart } }];
  const { status, body } = await client.call('POST', at('/orders'), { form_id: randomUUID(), gifts });
  assert.equal(status, 200, JSON.stringify(body));
  return { orderId: body.order_id, giftId: body.gifts[0].gift_id };
}

const listed = async (client: Pick<RoleMember, 'call'>, query = '') => {
  const { status, body } = await client.call('GET', at(`/gifts${query}`));
  assert.equal(status, 200, JSON.stringify(body));
  return body.data.map(({ recipient_name }: { recipient_name: string }) => recipient_name);
};
const setTeam = async ({ memberId }: RoleMember, teamId: string | null) => {
  const path = `/organizations/${organization.organizationId}/members/${memberId}/team`;
  assert.equal((await admin.call('PUT', path, { team_id: teamId })).status, 200);
};

/** Every route of one gift, order or batch by its id answers as if it did not exist. */
async function assertMissing(client: RoleMember, id: Record<string, string>): Promise<void> {
  const [name, value] = Object.entries(id)[0] as [string, string];
  const routes = service.service.app.portalRoutes.filter(({ path }) => path.includes(`{${name}}`));
  assert.ok(routes.length > 1);
  for (const { method, path, operationId } of routes) {
    const filled = path
      .replace('{organization_id}', organization.organizationId)
      .replace('{environment}', 'sandbox')
      .replace(`{${name}}`, value);
    const { status, body } = await client.call(method, filled, {});
    const codes = ['not_found', 'admin_required'];
    assert.ok(codes.includes(body.error?.code), `${operationId}: ${status} ${JSON.stringify(body)}`);
  }
}

test('a sender lists, counts, sorts and exports what they sent, and finds nothing of others', async () => {
  const foreign = await organization.sandbox.order([emailGift('program')]);
  await send(colleague, 'Ada');
  const own = await send(sender, 'Grace');
  const others = await send(admin, 'Alan');
  assert.deepEqual(await listed(sender), ['Grace']);
  assert.deepEqual(await listed(sender, '?sort=largest'), ['Grace']);
  assert.deepEqual(await listed(sender, '?status=sent'), ['Grace']);
  assert.deepEqual(await listed(sender, '?status=failed'), []);
  assert.deepEqual(await listed(sender, `?query=${own.giftId}`), ['Grace']);
  assert.deepEqual(await listed(sender, '?query=grace'), ['Grace']);
  for (const query of [others.giftId, others.orderId, 'alan', foreign.body.order_id])
    assert.deepEqual(await listed(sender, `?query=${query}`), [], query);
  assert.equal((await listed(admin)).length, 4);
  const total = await sender.call('GET', at('/gifts/total'));
  assert.equal(total.body.count, 1);
  const { body: orders } = await sender.call('GET', at('/orders'));
  assert.deepEqual(
    orders.data.map(({ order_id }: { order_id: string }) => order_id),
    [own.orderId],
  );
  assert.equal((await sender.call('GET', at('/orders/total'))).body.count, 1);
  assert.deepEqual((await sender.call('GET', at(`/orders?query=${others.orderId}`))).body.data, []);
  for (const path of ['/gifts.csv', '/orders.csv']) {
    const { body } = await sender.call('GET', at(path));
    assert.match(body, new RegExp(own.orderId));
    assert.doesNotMatch(body, new RegExp(`${others.orderId}|${foreign.body.order_id}`));
  }
  assert.equal((await sender.call('GET', at(`/gifts/${own.giftId}`))).status, 200);
  await assertMissing(sender, { gift_id: others.giftId });
  await assertMissing(sender, { order_id: others.orderId });
});

test('a team sees what its members send, from the next request on, and batches too', async () => {
  const batchId = await createSender(service, colleague, organization).send(rowsTo(2));
  await assertMissing(sender, { batch_id: batchId });
  const { body: team } = await admin.call('POST', teams(), { name: 'Sales' });
  await setTeam(sender, team.team_id);
  await setTeam(colleague, team.team_id);
  assert.deepEqual(
    (await listed(sender)).filter((name: string) => name !== null),
    ['Grace', 'Ada'],
  );
  assert.equal((await sender.call('GET', at(`/batches/${batchId}`))).status, 200);
  const { body: batches } = await sender.call('GET', at('/batches'));
  assert.deepEqual(
    batches.data.map(({ batch_id }: { batch_id: string }) => batch_id),
    [batchId],
  );
  const removed = await admin.call('DELETE', teams(`/${team.team_id}`));
  assert.equal(removed.status, 204);
  assert.deepEqual(await listed(sender), ['Grace']);
  await assertMissing(sender, { batch_id: batchId });
});

test('pages of a sender hold theirs only, in order, among the gifts of others', async () => {
  const names = Array.from({ length: 7 }, (_, n) => `n${n}`);
  for (const name of names) {
    await send(sender, name);
    await organization.sandbox.order([emailGift(`x${name}`)]);
  }
  const seen: string[] = [];
  for (let path = '?limit=3'; path !== ''; ) {
    const { body } = await sender.call('GET', at(`/gifts${path}`));
    seen.push(...body.data.map(({ recipient_name }: { recipient_name: string }) => recipient_name));
    path = body.older === null ? '' : `?limit=3&after=${body.older}`;
  }
  assert.deepEqual(seen, [...names.toReversed(), 'Grace']);
});

test('a search for a whole address does not tell a sender that others sent a gift there', async () => {
  await send(colleague, 'Emmy');
  await send(sender, 'Lise');
  const foundBy = async (localPart: string) =>
    (await sender.call('GET', at(`/gifts?query=${localPart}@sandbox.gift.test`))).body.found_by;
  assert.deepEqual([await foundBy('Emmy'), await foundBy('Hedy'), await foundBy('Lise')], [null, null, 'address']);
});
