import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { decodeId, encodeId } from '../../server/src/platform/base/ids.ts';
import { gift } from '../../server/test/harness/api-client.ts';
import { addTestEndpoint, placeOrders, pushAll } from '../../server/test/harness/webhooks.ts';
import { ADMIN, assertFaultless, type PortalService, startPortal } from './harness/portal.ts';

const DAY_MS = 86_400_000;
let portal: PortalService;
before(async () => {
  portal = await startPortal();
});
after(() => portal?.close());

/** As the browser's field takes it; the tests' browser is in UTC. */
const inDays = (days: number) => new Date(Date.now() + days * DAY_MS).toISOString().slice(0, 16);

const messagesOf = (giftId: string) =>
  portal.service.sql('select delivery_id from deliveries where gift_id = $1', [decodeId('gift', giftId)]);

test('an admin schedules a gift, with its time in the review', async () => {
  await using visit = await portal.visit(ADMIN);
  const { page, complaints } = visit;
  await page.goto(portal.at('/gifts/send'));
  await page.getByLabel('Email address').fill('ada@example.com');
  await page.getByLabel('Category').selectOption('coffee');
  await page.getByLabel('When we send it').selectOption('Later');
  await page.getByRole('button', { name: 'Review gift' }).click();
  await page.getByText('Choose a date and a time.').waitFor();
  await page.getByLabel('Date and time').fill(inDays(-1));
  await page.getByText('Choose a time in the future.').waitFor();
  await page.getByLabel('Date and time').fill(inDays(20));
  await page.getByText(/^In your time zone, /).waitFor();
  await page.getByText(/^What we send on .*, without the link\.$/).waitFor();
  await assertFaultless(page);
  await page.getByRole('button', { name: 'Review gift' }).click();
  await page.getByRole('definition').filter({ hasText: / UTC$/ }).waitFor();
  await assertFaultless(page);
  await page.getByRole('button', { name: 'Schedule gift' }).click();
  await page.getByText('The gift is scheduled').waitFor();
  await assertFaultless(page);
  await page.getByRole('link', { name: 'View gift' }).click();
  await page
    .getByText(/^Scheduled for /)
    .first()
    .waitFor();
  assert.deepEqual(complaints, []);
});

test('a time that the clock change skips is refused, for a gift and for events', async () => {
  await using visit = await portal.visit(ADMIN, { timezoneId: 'America/New_York' });
  const { page, complaints } = visit;
  const refusal = page.getByText('Clocks are set forward past this time. Choose another.');
  await page.goto(portal.at('/gifts/send'));
  await page.getByLabel('When we send it').selectOption('Later');
  await page.getByLabel('Date and time').fill('2026-03-08T02:30');
  await page.getByRole('button', { name: 'Review gift' }).click();
  await refusal.waitFor();
  await page.getByLabel('Date and time').fill('2026-03-08T03:30');
  await page.getByText('Choose a time in the future.').waitFor();
  // Loopback is refused at each connection.
  const endpoint = await addTestEndpoint(portal.service, portal.organization, 'https://localhost:8443/in');
  await placeOrders(portal.organization, 1);
  await pushAll(portal.service);
  await page.goto(portal.at(`/webhooks/${encodeId('wh', endpoint.endpointId)}`));
  await page.getByRole('button', { name: 'Resend several' }).click();
  await page.getByLabel('Events', { exact: true }).selectOption('All since a time');
  await page.getByLabel('Since').fill('2026-03-08T02:30');
  await refusal.waitFor();
  assert.ok(await page.getByRole('button', { name: 'Resend', exact: true }).isDisabled());
  await assertFaultless(page);
  await page.getByLabel('Since').fill('2026-03-08T03:30');
  assert.ok(await page.getByRole('button', { name: 'Resend', exact: true }).isEnabled());
  assert.deepEqual(complaints, []);
});

test('an admin changes the time and the address of a gift, then sends it', async () => {
  const send_at = new Date(Date.now() + 10 * DAY_MS).toISOString();
  const { body } = await portal.organization.sandbox.order([gift({ send_at })]);
  const [{ gift_id: giftId }] = body.gifts;
  await using visit = await portal.visit(ADMIN);
  const { page, complaints } = visit;
  await page.goto(portal.at(`/gifts?status=scheduled`));
  await page
    .getByRole('link', { name: /someone@example.com|gift_/ })
    .first()
    .waitFor();
  await page.goto(portal.at(`/gifts/${giftId}`));
  await page.getByRole('button', { name: 'Change time' }).click();
  await page.getByLabel('Date and time').fill(inDays(30));
  await assertFaultless(page);
  await page.getByRole('dialog').getByRole('button', { name: 'Change time' }).click();
  await page
    .getByRole('status')
    .filter({ hasText: /^Scheduled for / })
    .waitFor();
  await page.getByRole('button', { name: 'Change address' }).click();
  await page.getByLabel('Email address').fill('grace@example.com');
  await page.getByRole('dialog').getByRole('button', { name: 'Change address' }).click();
  await page.getByText('Address changed to grace@example.com.').waitFor();
  assert.deepEqual(await messagesOf(giftId), []);
  await assertFaultless(page);
  await page.getByRole('button', { name: 'Send now' }).click();
  await page.getByText('Gift sent to grace@example.com.').waitFor();
  await page.getByText('Email to grace@example.com').waitFor();
  assert.equal((await messagesOf(giftId)).length, 1);
  assert.deepEqual(complaints, []);
});
