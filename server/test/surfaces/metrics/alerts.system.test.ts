import assert from 'node:assert/strict';
import { rm, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { addIssuer } from '../../../src/capabilities/issuers/add-issuer.ts';
import { uploadCodes } from '../../../src/capabilities/issuers/own-codes/upload-codes.ts';
import { warnOfLowStock } from '../../../src/capabilities/issuers/own-codes/warn-of-low-stock.ts';
import { watchFunding } from '../../../src/capabilities/issuers/watch-funding.ts';
import { workOnEvent } from '../../../src/capabilities/provider-events/work-on-event.ts';
import { finishRestore } from '../../../src/capabilities/restores/finish-restore.ts';
import { STRIPE } from '../../../src/capabilities/stripe/event-provider.ts';
import { handleStripeEvent } from '../../../src/capabilities/topups/handle-stripe-event.ts';
import { checkIssuers } from '../../../src/surfaces/doctor/check-issuers.ts';
import { checkStripe } from '../../../src/surfaces/doctor/check-stripe.ts';
import { checkWork } from '../../../src/surfaces/doctor/check-work.ts';
import { examine } from '../../../src/surfaces/doctor/examine.ts';
import type { Finding } from '../../../src/surfaces/doctor/finding.ts';
import { startLithic } from '../../capabilities/lithic/server.ts';
import { actionOf, assertAlerts } from '../../harness/alerts.ts';
import { linkGift } from '../../harness/api-client.ts';
import { chooseIssuer } from '../../harness/choose-stripe.ts';
import { lithicForm, lithicSettings } from '../../harness/lithic-network.ts';
import { type Samples, scrape } from '../../harness/metrics-text.ts';
import { OPERATOR } from '../../harness/operator.ts';
import { createPortalClient } from '../../harness/portal-client.ts';
import { temporaryDirectory, until } from '../../harness/server-process.ts';
import { LINK_SECRET, startTestService, type TestService, testConfig } from '../../harness/test-service.ts';
import { customerOf, newPayer, startTopupService } from '../../harness/topups.ts';
import { startWebhookReceiver } from '../../harness/webhook-receiver.ts';
import { addTestEndpoint, LOCAL_PUSHES, placeOrders, pushAll } from '../../harness/webhooks.ts';

// Each situation that an alert is for is made on a service, and its metrics fire that alert alone.

const METRICS = { METRICS_PORT: '0' };
const MINUTE_MS = 60_000;

async function start(t: TestContext, variables: Record<string, string> = {}): Promise<TestService> {
  const service = await startTestService({ ...METRICS, ...variables });
  t.after(() => service.close());
  return service;
}

const measure = ({ service }: Pick<TestService, 'service'>): Promise<Samples> =>
  scrape(service.metricsAddress() ?? assert.fail('no metrics'));

const claim = (service: TestService, link: string, form: Record<string, string> = {}) =>
  fetch(`${service.url}/g/${link.slice(-76)}/claim`, {
    method: 'POST',
    redirect: 'manual',
    body: new URLSearchParams(form),
  });

const faultsOf = (findings: readonly Finding[]) => findings.filter(({ state }) => state !== 'ok');

test('an issuer whose balance is below its cards fires BestowIssuerBalanceLow', async (t) => {
  const service = await start(t);
  const lithic = await startLithic(service.clock);
  t.after(() => lithic.close());
  const organization = await service.organization();
  await chooseIssuer(service, organization, 'lithic', lithicSettings(lithic));
  const { body } = await organization.live.order([linkGift(2_500)]);
  assert.equal((await claim(service, body.gifts[0].delivery.link, lithicForm)).status, 303);
  const look = async () => {
    await service.sql(`update issuers set funding_check_at = '2020-01-01'`);
    await watchFunding(service.service.deps);
    return measure(service);
  };
  const before = await look();
  lithic.state.availableCents = 2_499;
  const during = await look();
  assertAlerts({ before, during }, 10, ['BestowIssuerBalanceLow']);
  const config = { ...testConfig(), linkSecrets: [LINK_SECRET] };
  const [fault] = faultsOf(await checkIssuers(config, service.service.deps.database, service.clock));
  assert.match(fault?.found ?? '', /2499 cents for 2500 cents on cards/);
  const cure = 'dd money to the balance at the issuer';
  assert.ok(fault?.advice?.includes(cure) && actionOf('BestowIssuerBalanceLow').includes(cure));
  lithic.state.availableCents = 2_500;
  assertAlerts({ before: await look(), during: await look() }, 10, []);
});

test('a stock of codes below its limit fires BestowCodesLow until codes are added', async (t) => {
  const service = await start(t);
  const { deps } = service.service;
  const organization = await service.organization();
  const organizationId = organization.organizationUuid;
  const upload = (...codes: string[]) => {
    const csv = ['value,code,pin,expires,shop,terms_url', ...codes.map((code) => `25.00,${code},,,Shop,`)].join('\n');
    return uploadCodes(deps, { organizationId, categoryId: 'coffee', csv, actor: OPERATOR });
  };
  await addIssuer(deps, { organizationId, kind: 'codes', settings: { low_stock: '2' }, actor: OPERATOR });
  await upload('A', 'B');
  const look = async () => {
    await warnOfLowStock(deps);
    return measure(service);
  };
  const before = await look();
  const { body } = await organization.live.order([linkGift(2_500)]);
  assert.equal((await claim(service, body.gifts[0].delivery.link)).status, 303);
  const during = await look();
  assertAlerts({ before, during }, 10, ['BestowCodesLow']);
  const config = { ...testConfig(), linkSecrets: [LINK_SECRET] };
  const [low] = faultsOf(await checkIssuers(config, deps.database, service.clock));
  for (const text of [low?.advice ?? '', actionOf('BestowCodesLow')])
    assert.match(text, /bestow issuer stock.*bestow issuer upload/);
  await upload('C');
  const after = await look();
  assertAlerts({ before: after, during: after }, 10, []);
});

test('requests that wait behind a session that hangs fire BestowWaitsForConnections', async (t) => {
  const service = await start(t);
  const { organizationId } = await service.organization();
  const admin = await createPortalClient(service, 'admin@example.com');
  const before = await measure(service);
  await service.sql('begin');
  await service.sql('lock table audit_events in access exclusive mode');
  const asked = Array.from({ length: 40 }, () =>
    admin.call('GET', `/organizations/${organizationId}/live/audit-events`),
  );
  let during = before;
  await until(async () => {
    during = await measure(service);
    return (during['bestow_database_connections{pool="pool",state="waiting"}'] ?? 0) > 10;
  }, 'more than ten requests wait');
  const sessions = await service.sql(
    `select from pg_stat_activity where application_name like 'bestow%' and wait_event_type = 'Lock'`,
  );
  assert.ok(sessions.length > 0, 'the page names pg_stat_activity and application_name bestow');
  assert.match(actionOf('BestowWaitsForConnections'), /pg_stat_activity, application_name bestow/);
  await service.sql('rollback');
  await Promise.allSettled(asked);
  assertAlerts({ before, during }, 10, ['BestowWaitsForConnections']);
  assertAlerts({ before: await measure(service), during: await measure(service) }, 10, []);
});

test('an event that no worker pushes fires BestowPushesLate', async (t) => {
  const receiver = await startWebhookReceiver();
  t.after(() => receiver.close());
  const service = await start(t, LOCAL_PUSHES);
  const organization = await service.organization();
  await addTestEndpoint(service, organization, receiver.url);
  const before = await measure(service);
  await placeOrders(organization, 1);
  // The worker that had the endpoint ended, and no other runs.
  await service.sql('update webhook_endpoints set lease_id = gen_random_uuid(), leased_until = $1', [
    new Date(service.clock.now() + MINUTE_MS),
  ]);
  await service.clock.jump(6 * MINUTE_MS);
  const during = await measure(service);
  const late = 'bestow_oldest_push_due_seconds';
  assertAlerts({ before, during: { ...before, [late]: during[late] ?? 0 } }, 10, ['BestowPushesLate']);
  await pushAll(service);
  assert.equal((await measure(service))[late], 0);
});

test('calls with another secret than Stripe’s fire BestowProviderEventsRefused', async (t) => {
  const service = await startTopupService(METRICS);
  t.after(() => service.closeAll());
  const before = await measure(service);
  const { webhooks } = service.stripe;
  for (let n = 0; n < 5; n += 1) {
    const text = JSON.stringify({ id: `evt_${n}`, type: 'charge.updated' });
    const headers = { 'stripe-signature': webhooks.sign(text, 'whsec_other') };
    assert.equal((await fetch(webhooks.url, { method: 'POST', body: text, headers })).status, 401);
  }
  assertAlerts({ before, during: await measure(service) }, 10, ['BestowProviderEventsRefused']);
  assert.match(actionOf('BestowProviderEventsRefused'), /STRIPE_WEBHOOK_SECRET/);
});

test('a transfer whose job does not run fires BestowTopupsStuck, and doctor says the same', async (t) => {
  const service = await startTopupService(METRICS);
  t.after(() => service.closeAll());
  const payer = await newPayer(service);
  await payer.client.call('POST', `${payer.path}/bank-account`);
  const before = await measure(service);
  service.stripe.acts.transfer(await customerOf(service, payer), 5_000);
  await service.stripe.webhooks.deliver();
  const { deps } = service.service;
  for (const { event_id: eventId } of await service.sql<{ event_id: string }>(
    'select event_id from portal.provider_events',
  ))
    await workOnEvent(deps, { [STRIPE]: handleStripeEvent(deps) }, { provider: STRIPE, eventId });
  await service.clock.jump(61 * MINUTE_MS);
  const { bestow_topups_stuck: stuck = 0 } = await measure(service);
  assertAlerts({ before, during: { ...before, bestow_topups_stuck: stuck } }, 35, ['BestowTopupsStuck']);
  const stripe = deps.config.stripe ?? assert.fail();
  const findings = await checkStripe({ stripe, publicUrl: undefined }, deps.database, service.clock);
  const late = findings.find(({ check }) => check === 'top-ups');
  assert.equal(late?.found, '1 under way for more than an hour');
  for (const text of [late?.advice ?? '', actionOf('BestowTopupsStuck')]) assert.match(text, /bestow topup list/);
  await service.settle();
  assert.equal((await measure(service))['bestow_topups_stuck'], 0);
});

test('work that no worker does fires BestowQueueLate, and doctor says the same', async (t) => {
  const service = await start(t);
  const lithic = await startLithic(service.clock);
  t.after(() => lithic.close());
  const organization = await service.organization();
  await chooseIssuer(service, organization, 'lithic', lithicSettings(lithic));
  const before = await measure(service);
  const { body } = await organization.live.order([linkGift(2_500)]);
  assert.equal((await claim(service, body.gifts[0].delivery.link, lithicForm)).status, 303);
  // The workers do not look, because the time does not pass for them.
  await service.clock.jump(6 * MINUTE_MS);
  const during = await measure(service);
  assertAlerts({ before, during }, 10, ['BestowQueueLate']);
  assert.ok((during['bestow_oldest_job_due_seconds{queue="finish-claim"}'] ?? 0) > 300);
  assert.match(actionOf('BestowQueueLate'), /^Run bestow doctor\..*every-minute.*bestow worker/);
  const { config, database } = service.service.deps;
  const [jobs] = faultsOf(await checkWork({ config, clock: service.clock, database }));
  assert.deepEqual([jobs?.check, jobs?.state], ['jobs', 'fault']);
  assert.match(jobs?.advice ?? '', /Start bestow serve or bestow worker/);
});

test('a backup that did not run fires BestowBackupOld, and doctor has its age', async (t) => {
  const directory = await temporaryDirectory(t);
  const BACKUP_FILE = join(directory, 'bestow.dump');
  await writeFile(BACKUP_FILE, 'dump');
  const service = await start(t, { BACKUP_FILE });
  const lookAt = async (hours: number) => {
    const writtenAt = new Date(service.clock.now() - hours * 60 * MINUTE_MS);
    await utimes(BACKUP_FILE, writtenAt, writtenAt);
    const found = await Array.fromAsync(
      examine(service.service.deps.config, service.service.deps.database, service.clock),
    );
    const backup = found.find(({ check }) => check === 'backup');
    return { samples: await measure(service), doctor: `${backup?.state} ${backup?.found}` };
  };
  const recent = await lookAt(30);
  assert.equal(recent.samples['bestow_backup_age_seconds'], 30 * 3_600);
  assert.match(recent.doctor, /^ok .* is 30 hours old/);
  const old = await lookAt(37);
  assert.match(old.doctor, /^fault .* is 37 hours old$/);
  assertAlerts({ before: recent.samples, during: old.samples }, 40, ['BestowBackupOld']);
  await rm(BACKUP_FILE);
  assert.equal((await measure(service))['bestow_backup_age_seconds'], Number.POSITIVE_INFINITY);
});

test('a loss of commits fires BestowHistoryWentBack until a person has finished the work', async (t) => {
  const service = await start(t);
  const before = await measure(service);
  // As a failover does in failover.system.test.ts.
  await service.sql(
    `insert into lost_histories (system, timeline, begins_at, kept_until, noticed_at, moved_on_at, events_since)
     values ('1', 2, 0, $1, $1, $1, 0)`,
    [new Date(service.clock.now())],
  );
  const during = await measure(service);
  assertAlerts({ before, during }, 1, ['BestowHistoryWentBack']);
  assert.match(actionOf('BestowHistoryWentBack'), /bestow restore finish/);
  const { deps } = service.service;
  await finishRestore({ ...deps, stripe: undefined }, undefined, OPERATOR);
  assert.equal((await measure(service))['bestow_histories_lost'], 0);
});
