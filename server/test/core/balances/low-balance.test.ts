import assert from 'node:assert/strict';
import { beforeEach, test } from 'node:test';
import { deleteSandbox } from '../../../src/capabilities/erasure/delete-sandbox.ts';
import { findBalanceAlert } from '../../../src/core/balances/find-balance-alert.ts';
import { setBalanceAlert } from '../../../src/core/balances/set-balance-alert.ts';
import { warnOfLowBalances } from '../../../src/core/balances/warn-of-low-balances.ts';
import type { Environment } from '../../../src/platform/base/environment.ts';
import { OperatorError } from '../../../src/platform/base/operator-error.ts';
import { gift } from '../../harness/api-client.ts';
import { workUntil } from '../../harness/mail-server.ts';
import { noticesOf } from '../../harness/notices.ts';
import { openForFile } from '../../harness/open-for-file.ts';
import { OPERATOR } from '../../harness/operator.ts';
import { until } from '../../harness/server-process.ts';
import { startTestService, type TestOrganization } from '../../harness/test-service.ts';

const service = openForFile(() => startTestService());
let organization: TestOrganization;
beforeEach(async () => {
  organization = await service.organization({ live: 10_000, sandbox: 10_000 });
});

const setAlert = (thresholdCents: number | null, environment: Environment = 'live') => {
  const { organizationId } = organization;
  return setBalanceAlert(service.service.deps, { organizationId, environment, thresholdCents, actor: OPERATOR });
};

const spend = async (amount: number) => {
  const { status } = await organization.live.order([gift({ amount })]);
  assert.equal(status, 201);
};

/** The job of every minute. */
const check = () => warnOfLowBalances(service.service.deps);

/** Recipients of the alerts, oldest first. */
const warned = async () =>
  (await noticesOf(service, organization))
    .filter(({ kind }) => kind === 'balance_low')
    .map(({ recipient }) => recipient);

test('the job of every minute emails once when the balance falls below the threshold', async () => {
  await setAlert(8_000);
  await spend(2_000);
  await check();
  assert.deepEqual(await warned(), [], 'at the threshold');
  await spend(1_000);
  const spentAtMs = service.clock.now();
  const atWork = `select from pgboss.job where state = 'active'`;
  const isWarned = async () => {
    // Advance the clock only when no job is running.
    await until(async () => (await service.sql(atWork)).length === 0, 'the jobs are done');
    return (await warned()).length > 0;
  };
  await workUntil(service, isWarned, 'warned');
  assert.ok(service.clock.now() - spentAtMs < 100_000);
  assert.deepEqual(await warned(), ['admin@example.com']);
  const [row] = await service.sql(`select details from notices where kind = 'balance_low' and organization_id = $1`, [
    organization.organizationUuid,
  ]);
  const details = { organization_name: 'Test Organization', environment: 'live' };
  assert.deepEqual(row, { details: { ...details, balance_cents: 7_000, threshold_cents: 8_000 } });
  await spend(1_000);
  await check();
  assert.deepEqual(await warned(), ['admin@example.com']);
});

test('emails again only after the balance was at or above the threshold', async () => {
  await setAlert(8_000);
  await spend(3_000);
  await check();
  assert.equal((await warned()).length, 1);
  await organization.fund('live', 999);
  await check();
  await spend(1_000);
  await check();
  assert.equal((await warned()).length, 1, 'it was at 7,999');
  await organization.fund('live', 2_001);
  await check();
  await spend(2_000);
  await check();
  assert.equal((await warned()).length, 2, 'it was at 9,000');
});

test('a missing balance counts as 0, except in a deleted sandbox', async () => {
  organization = await service.organization({ live: 0, sandbox: 10_000 });
  await setAlert(1);
  await setAlert(1, 'sandbox');
  await check();
  const alerts = () =>
    service.sql(
      `select details->>'environment' as environment, details->'balance_cents' as cents from notices
       where kind = 'balance_low' and organization_id = $1 order by notice_id`,
      [organization.organizationUuid],
    );
  assert.deepEqual(await alerts(), [{ environment: 'live', cents: 0 }]);
  assert.equal((await organization.sandbox.post('/v1/sandbox/reset')).status, 200);
  await check();
  await check();
  assert.deepEqual((await alerts()).slice(1), [{ environment: 'sandbox', cents: 0 }]);

  organization = await service.organization({ sandbox: 10_000 });
  const { organizationId } = organization;
  await setAlert(1, 'sandbox');
  await deleteSandbox(service.service.deps, { organizationId, actor: OPERATOR });
  await check();
  assert.deepEqual(await alerts(), []);
});

test('emails all active admins and the billing contact, each once', async () => {
  const { second, member } = await organization.addMembers();
  await organization.setBillingContact(member);
  await setAlert(20_000);
  await check();
  assert.deepEqual((await warned()).sort(), ['admin@example.com', 'member@example.com', 'second@example.com']);
  await setAlert(null);
  await organization.deactivate(second);
  await organization.deactivate(member);
  await setAlert(20_000);
  await check();
  assert.deepEqual((await warned()).slice(3), ['admin@example.com']);
});

test('ten simultaneous checks in two processes email once', async () => {
  const second = await service.second();
  await setAlert(20_000);
  await Promise.all(
    Array.from({ length: 10 }, (_, n) => warnOfLowBalances((n % 2 === 0 ? service : second).service.deps)),
  );
  assert.deepEqual(await warned(), ['admin@example.com']);
  await second.close();
});

test('setting, changing and removing a threshold is recorded; a repetition is not', async () => {
  const { organizationUuid: organizationId } = organization;
  const find = () => findBalanceAlert(service.service.deps, { organizationId, environment: 'live' });
  assert.equal(await find(), undefined);
  assert.equal(await setAlert(null), undefined);
  assert.deepEqual(await setAlert(20_000), { threshold: 20_000, warned_at: null });
  await check();
  const known = { threshold: 30_000, warned_at: new Date(service.clock.now()) };
  // Already warned: a higher threshold sends no second email.
  assert.deepEqual(await setAlert(30_000), known);
  assert.deepEqual(await setAlert(30_000), known);
  await check();
  assert.equal((await warned()).length, 1);
  assert.equal(await setAlert(null), undefined);
  assert.equal(await setAlert(null), undefined);
  assert.equal(await find(), undefined);
  const events = await service.sql(
    `select environment, actor_name, details from audit_events
     where organization_id = $1 and action = 'balance_alert.set' order by event_id`,
    [organizationId],
  );
  assert.deepEqual(
    events,
    [20_000, 30_000, null].map((threshold_cents) => ({
      environment: 'live',
      actor_name: 'the operator (tester)',
      details: { threshold_cents },
    })),
  );
});

test('refuses a threshold out of bounds and an unknown organization', async () => {
  for (const wrong of [0, -1, 1.5, Number.NaN, 2 ** 53])
    await assert.rejects(setAlert(wrong), OperatorError, String(wrong));
  const input = { environment: 'live', thresholdCents: 1, actor: OPERATOR } as const;
  const unknown = { ...input, organizationId: 'org_01h455vb4pex5vsknk084sn02q' };
  await assert.rejects(setBalanceAlert(service.service.deps, unknown), OperatorError);
});
