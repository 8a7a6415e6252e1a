import assert from 'node:assert/strict';
import { test } from 'node:test';
import { EVENT_TYPES } from '../../../src/capabilities/topups/handle-stripe-event.ts';
import { checkStripe } from '../../../src/surfaces/doctor/check-stripe.ts';
import { scrape } from '../../harness/metrics-text.ts';
import { newPayer, openTopups, topUp } from '../../harness/topups.ts';

const HOUR_MS = 3_600_000;
const URL_OF = 'https://gifts.example.com';
const service = openTopups({ METRICS_PORT: '0' });

async function examine(stripe: { secretKey?: string } = {}) {
  const { database } = service.service.deps;
  const config = service.service.deps.config.stripe;
  assert.ok(config);
  const findings = await checkStripe(
    { stripe: { ...config, ...stripe }, publicUrl: `${URL_OF}/` },
    database,
    service.clock,
  );
  return Object.fromEntries(findings.map(({ check, state, found }) => [check, `${state}: ${found}`]));
}

test('the key, the endpoint, its events and late payments are each a finding', async () => {
  const { account } = service.stripe;
  assert.match((await examine({ secretKey: 'sk_live_other' }))['Stripe'] ?? '', /^fault: Invalid API Key/);
  assert.match((await examine())['Stripe webhook'] ?? '', /^fault: no endpoint https:\S+\/hooks\/stripe/);
  const endpoint = account.add('we', 'webhook_endpoint', {
    url: `${URL_OF}/hooks/stripe`,
    status: 'disabled',
    metadata: {},
    description: null,
    application: null,
    api_version: null,
    enabled_events: EVENT_TYPES.filter((type) => type !== 'refund.failed'),
  });
  assert.match((await examine())['Stripe webhook'] ?? '', /^fault: .* is disabled$/);
  endpoint.status = 'enabled';
  assert.match((await examine())['Stripe webhook'] ?? '', /^fault: .* does not send refund.failed$/);
  endpoint.enabled_events = ['*'];
  const payer = await newPayer(service);
  await topUp(service, payer, 10_000);
  await service.clock.jump(HOUR_MS);
  assert.match((await examine())['Stripe events'] ?? '', /^fault: 2 of 2 of the last day .* none has arrived yet$/);
  await service.settle();
  await service.sql(
    `insert into topups (organization_id, topup_id, kind, state, amount_cents, fee_cents, created_by, created_at)
     values ($1, gen_random_uuid(), 'bank_transfer', 'pending', 100, 0, 'bank', $2)`,
    [payer.organization.organizationUuid, new Date(service.clock.now() - HOUR_MS - 1)],
  );
  const late = await examine();
  assert.equal(late['top-ups'], 'fault: 1 under way for more than an hour');
  assert.equal((await scrape(service.service.metricsAddress() ?? ''))['bestow_topups_stuck'], 1);
  await service.sql(`update topups set state = 'action_required' where state = 'pending'`);
  const { 'Stripe events': events, ...others } = await examine();
  assert.match(events ?? '', /^ok: the last one arrived 20/);
  assert.deepEqual(others, {
    Stripe: 'ok: signed in, live mode',
    'Stripe webhook': `ok: ${URL_OF}/hooks/stripe`,
    'top-ups': 'ok: none overdue, 1 wait for a person',
  });
});

test('a key that may not list endpoints is not a fault', async () => {
  const operation = 'GET /v1/webhook_endpoints' as const;
  service.stripe.faults.push({ operation, kind: 'answer 500' });
  assert.match((await examine())['Stripe webhook'] ?? '', /^ok: not checked: /);
});
