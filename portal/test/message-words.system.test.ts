import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { eraseRecipient } from '../../server/src/capabilities/erasure/erase-recipient.ts';
import { holdGift } from '../../server/src/core/gifts/hold/hold-gift.ts';
import { decodeId } from '../../server/src/platform/base/ids.ts';
import { gift, linkGift } from '../../server/test/harness/api-client.ts';
import { countPending } from '../../server/test/harness/deliveries.ts';
import { workUntil } from '../../server/test/harness/mail-server.ts';
import { OPERATOR } from '../../server/test/harness/operator.ts';
import { ADMIN, assertFaultless, MEMBER, type PortalService, startPortal, takePictures } from './harness/portal.ts';

let portal: PortalService;
before(async () => {
  portal = await startPortal();
});
after(() => portal?.close());

test('a live message without a mail server is kept in the outbox, in the list, on the page and in its timeline', async () => {
  const { live } = portal.organization;
  const { body } = await live.order([gift(), linkGift()]);
  await using visit = await portal.visit(MEMBER);
  const { page, complaints } = visit;
  const states = () => page.getByRole('table', { name: 'Gifts' }).locator('tbody tr td:nth-child(2)').allInnerTexts();
  await page.goto(portal.at('/gifts', 'live'));
  await page.getByText('Sending', { exact: true }).waitFor();
  await workUntil(portal.service, async () => (await countPending(portal.service)) === 0, 'kept');
  await page.goto(portal.at('/gifts?status=sent', 'live'));
  await page.getByText('Kept in the outbox', { exact: true }).waitFor();
  assert.deepEqual((await states()).sort(), ['Kept in the outbox', 'Sent']);
  await assertFaultless(page);

  await page.goto(portal.at(`/gifts/${body.gifts[0].gift_id}`, 'live'));
  await page.getByText('Email to someone@example.com kept in the outbox').waitFor();
  await page.getByText('No mail server is configured.').waitFor();
  const timeline = page.getByRole('list').filter({ hasText: 'Ordered' });
  assert.doesNotMatch(await timeline.innerText(), /\bsent\b/i);
  await assertFaultless(page);
  const pictures = process.env['PICTURES'];
  if (pictures !== undefined) await takePictures(page, `${pictures}/kept`);
  assert.deepEqual(complaints, []);
});

test('a gift’s page says that its message was withdrawn, that it is on hold, and that its recipient was erased', async () => {
  const { live, organizationId, organizationUuid } = portal.organization;
  const { deps } = portal.service.service;
  const recipient = { method: 'email', email: 'erased@example.com' } as const;
  const { body } = await live.order([gift(), gift(), gift({ delivery: recipient })]);
  const [canceled, held, erased] = body.gifts.map(({ gift_id }: { gift_id: string }) => gift_id);
  await live.post(`/v1/gifts/${canceled}/cancel`);
  const scope = { organizationId: organizationUuid, environment: 'live' as const };
  await holdGift(deps, { scope, giftId: decodeId('gift', held) ?? '', actor: OPERATOR });
  await eraseRecipient(deps, { organizationId, recipient, actor: OPERATOR });
  await using visit = await portal.visit(ADMIN);
  const { page, complaints } = visit;
  for (const [giftId, badge, step] of [
    [canceled, 'Canceled', 'Not sent'],
    [held, 'On hold', 'Put on hold'],
    [erased, 'Failed', 'The recipient was erased'],
  ] as const) {
    await page.goto(portal.at(`/gifts/${giftId}`, 'live'));
    const timeline = page.getByRole('list').filter({ hasText: 'Ordered' });
    await timeline.getByText(step, { exact: true }).waitFor();
    assert.doesNotMatch(await timeline.innerText(), /Delivery failed/);
    await page.getByText(badge, { exact: true }).first().waitFor();
    assert.equal(await page.getByRole('button', { name: 'Send again', exact: true }).count(), 0);
    await assertFaultless(page);
    const pictures = process.env['PICTURES'];
    if (pictures !== undefined) await takePictures(page, `${pictures}/${step.replaceAll(' ', '-')}`);
  }
  assert.deepEqual(complaints, []);
});

test('a message that was given up after a day says so, and why', async () => {
  const { body } = await portal.organization.live.order([gift()]);
  const [{ gift_id: giftId }] = body.gifts;
  const uuid = decodeId('gift', giftId);
  const reason = 'Given up after a day: The connection was refused (ECONNREFUSED)';
  await portal.service.sql(
    `update deliveries set state = 'failed', reason = $2, settled_at = created_at where gift_id = $1`,
    [uuid, reason],
  );
  await portal.service.sql(`update gifts set delivery_state = 'failed' where gift_id = $1`, [uuid]);
  await using visit = await portal.visit(MEMBER);
  await visit.page.goto(portal.at(`/gifts/${giftId}`, 'live'));
  const timeline = visit.page.getByRole('list').filter({ hasText: 'Delivery failed' });
  await timeline.getByText(reason, { exact: true }).waitFor();
  assert.deepEqual(visit.complaints, []);
});
