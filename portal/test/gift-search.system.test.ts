import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { gift } from '../../server/test/harness/api-client.ts';
import { type PortalService, startPortal } from './harness/portal.ts';

let portal: PortalService;
before(async () => {
  portal = await startPortal();
});
after(() => portal?.close());

test('a stopped search goes on, a whole address finds an old gift at once, and a lost cursor leads to the first page', async () => {
  const other = await portal.service.organization();
  await portal.service.sql(`update members set email = 'busy@example.com' where organization_id = $1`, [
    other.organizationUuid,
  ]);
  const delivery = { method: 'email', email: 'old@example.com' };
  const first = (await other.sandbox.order([gift({ delivery, personalization: { recipient_name: 'Wanted' } })])).body;
  await portal.service.clock.jump(60_000);
  await other.sandbox.order([gift()]);
  // More copies of the latest gift than one search reads.
  const copy = (id: string) => `overlay(${id}::text placing lpad(to_hex(n), 8, '0') from 29)::uuid`;
  const copies = 'generate_series(1, 2500) as n';
  await portal.service.sql(
    `insert into orders (organization_id, environment, order_id, idempotency_key, amount_cents, key_id, member_id,
       fingerprint, created_at)
     select organization_id, environment, ${copy('order_id')}, 'copy-' || n, amount_cents, key_id, member_id, fingerprint,
       created_at
     from (select * from orders where organization_id = $1 order by order_id desc limit 1) latest, ${copies}`,
    [other.organizationUuid],
  );
  await portal.service.sql(
    `insert into gifts (organization_id, environment, gift_id, order_id, position, amount_cents, category_id, method,
       address, delivery_state, delivery_id, sender_name, link_expires_at, created_at)
     select organization_id, environment, ${copy('gift_id')}, ${copy('order_id')}, position, amount_cents, category_id,
       method, address, delivery_state, delivery_id, sender_name, link_expires_at, created_at
     from (select * from gifts where organization_id = $1 order by gift_id desc limit 1) latest, ${copies}`,
    [other.organizationUuid],
  );
  await portal.service.sql('analyze gifts');
  await using visit = await portal.visit('busy@example.com');
  const { page } = visit;
  const list = `/portal/${other.organizationId}/sandbox/gifts`;
  await page.goto(`${list}?query=wanted`);
  await page.getByText('Nothing found so far').waitFor();
  await page.getByText('Searched back to').waitFor();
  await page.getByRole('button', { name: 'Search further back' }).click();
  await page.getByRole('link', { name: /^Wanted/ }).waitFor();
  await page.getByText('Looks inside texts, 2,000 gifts at a time.').waitFor();
  await page.goto(`${list}?query=${first.gifts[0].delivery.email}`);
  await page.getByRole('link', { name: /^Wanted/ }).waitFor();
  await page.getByText(`All gifts to ${first.gifts[0].delivery.email}.`).waitFor();
  await page.getByRole('button', { name: 'Look inside texts too' }).click();
  await page.getByText('Looks inside texts, 2,000 gifts at a time.').waitFor();
  await page.getByRole('link', { name: /^Wanted/ }).waitFor({ state: 'detached' });
  await page.goto(`${list}?after=${first.gifts[0].gift_id.slice(0, -4)}0000`);
  await page.getByText('Showing 25 gifts.').waitFor({ state: 'attached' });
  assert.equal(new URL(page.url()).search, '');
});
