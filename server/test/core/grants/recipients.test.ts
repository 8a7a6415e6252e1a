import assert from 'node:assert/strict';
import { test } from 'node:test';
import { everything, grantedAgent } from '../../harness/agent-grant.ts';
import { emailGift, linkGift } from '../../harness/api-client.ts';
import { balanceOf } from '../../harness/ledger.ts';
import { openForFile } from '../../harness/open-for-file.ts';
import { startTestService } from '../../harness/test-service.ts';

// Whom an agent may give to, and what.

const service = openForFile(() => startTestService());

const phoneGift = { ...linkGift(), delivery: { method: 'phone', phone: '+12025550123' } };
const to = (email: string) => ({ ...emailGift('x'), delivery: { method: 'email', email } });

test('an agent orders for the domains of its grant only, in any case of letters, and for no domain below them', async () => {
  const organization = await service.organization();
  const agent = await grantedAgent(service, organization, { ...everything, recipient_domains: ['acme.example'] });
  const code = async (gift: object) => (await agent.call('preview_order', { gifts: [gift] })).body.error?.code;
  assert.equal(await code(to('ann@acme.example')), undefined);
  assert.equal(await code(to('ann@ACME.Example')), undefined);
  for (const gift of [to('ann@mail.acme.example'), to('ann@acme.example.org'), phoneGift, linkGift()])
    assert.equal(await code(gift), 'not_granted', JSON.stringify(gift));
  const { body } = await agent.call('preview_order', { gifts: [to('ann@acme.example'), to('eve@evil.example')] });
  assert.equal(body.error.param, 'gifts[1]');
  assert.match(body.error.message, /^This agent’s grant does not include this recipient\. An admin can create a grant/);
});

test('an agent for members only orders for active members only, and the statement that places the order checks', async () => {
  const organization = await service.organization();
  const { member } = await organization.addMembers();
  const agent = await grantedAgent(service, organization, { ...everything, members_only: true });
  const previewed = await agent.preview({ gifts: [to('Member@example.com')] });
  assert.equal((await agent.call('preview_order', { gifts: [to('eve@example.com')] })).body.error.code, 'not_granted');
  const order = { gifts: [to('member@example.com')] };
  assert.equal((await agent.call('place_order', await agent.preview(order))).isError, false);
  await organization.deactivate(member);
  const { body } = await agent.call('place_order', previewed);
  assert.deepEqual([body.error.code, body.error.param], ['not_granted', 'gifts[0]']);
  assert.equal(await balanceOf(service, organization, 'sandbox'), 1_000_000 - 2_500);
});

test('an agent redirects to allowed recipients only', async () => {
  const organization = await service.organization();
  const agent = await grantedAgent(service, organization, { ...everything, recipient_domains: ['sandbox.gift.test'] });
  const { body } = await agent.call('place_order', await agent.preview({ gifts: [emailGift('delivery-failed')] }));
  const [{ gift_id }] = body.gifts;
  for (const delivery of [
    { method: 'email', email: 'mallory@evil.example' },
    { method: 'phone', phone: '+12025550123' },
  ]) {
    const refused = await agent.call('redirect_gift', { gift_id, delivery });
    assert.equal(refused.body.error.code, 'not_granted');
  }
  const allowed = await agent.call('redirect_gift', { gift_id, delivery: emailGift('delivered')['delivery'] });
  assert.equal(allowed.isError, false);
  const [event] = await service.sql(`select actor_name from audit_events where action = 'gift.redirected'`);
  assert.match(event?.['actor_name'] as string, /^the agent with the token key_\w{26}$/);
});

test('an agent orders only the categories of its grant', async () => {
  const organization = await service.organization();
  const agent = await grantedAgent(service, organization, { ...everything, categories: ['coffee'] });
  const order = (category: string) => ({ gifts: [linkGift(), { ...linkGift(), category }] });
  assert.equal((await agent.call('preview_order', order('coffee'))).isError, false);
  const { body } = await agent.call('preview_order', order('books'));
  assert.deepEqual([body.error.code, body.error.param], ['not_granted', 'gifts[1]']);
  assert.match(body.error.message, /does not include this category/);
});
