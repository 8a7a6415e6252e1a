import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { gift, linkGift } from '../../server/test/harness/api-client.ts';
import { countPending } from '../../server/test/harness/deliveries.ts';
import { workUntil } from '../../server/test/harness/mail-server.ts';
import { assertFaultless, MEMBER, type PortalService, startPortal, takePictures } from './harness/portal.ts';

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
