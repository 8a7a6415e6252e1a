import assert from 'node:assert/strict';
import { after, before, beforeEach, test } from 'node:test';
import { findBalanceAlert } from '../../src/balances/find-balance-alert.ts';
import { setBalanceAlert } from '../../src/balances/set-balance-alert.ts';
import { warnOfLowBalances } from '../../src/balances/warn-of-low-balances.ts';
import type { Environment } from '../../src/base/environment.ts';
import { OperatorError } from '../../src/base/operator-error.ts';
import { deleteSandbox } from '../../src/sandbox/delete-sandbox.ts';
import { gift } from '../harness/api-client.ts';
import { workUntil } from '../harness/mail-server.ts';
import { noticesOf } from '../harness/notices.ts';
import { OPERATOR } from '../harness/operator.ts';
import { until } from '../harness/server-process.ts';
import { startTestService, type TestOrganization, type TestService } from '../harness/test-service.ts';

// Issue 4, «Balance»: a threshold for a mail when the balance runs low.

let service: TestService;
let organization: TestOrganization;
before(async () => {
  service = await startTestService();
});
beforeEach(async () => {
  organization = await service.organization({ live: 10_000, sandbox: 10_000 });
});
after(() => service.close());

const setAlert = (thresholdCents: number | null) =>
  setBalanceAlert(service.service.deps, {
    organizationId: organization.organizationId,
    environment: 'live',
    thresholdCents,
    actor: OPERATOR,
  });

const spend = async (amount: number) => {
  const { status } = await organization.live.order([gift({ amount })]);
  assert.equal(status, 201);
};

/** What the minute's work does. */
const look = () => warnOfLowBalances(service.service.deps);

/** Whom it was told, the oldest first. */
const warned = async () =>
  (await noticesOf(service, organization))
    .filter(({ kind }) => kind === 'balance_low')
    .map(({ recipient }) => recipient);

test('a balance that has fallen below the threshold is told by the minute’s work, once, and of no other environment', async () => {
  await setAlert(8_000);
  await spend(2_000);
  await look();
  assert.deepEqual(await warned(), [], 'at the threshold');
  await spend(1_000);
  const spentAtMs = service.clock.now();
  const atWork = `select from pgboss.job where state = 'active'`;
  const isTold = async () => {
    // The clock goes on only once what was begun is done, however long a busy machine takes.
    await until(async () => (await service.sql(atWork)).length === 0, 'the work is done');
    return (await warned()).length > 0;
  };
  await workUntil(service, isTold, 'told');
  assert.ok(service.clock.now() - spentAtMs < 100_000);
  assert.deepEqual(await warned(), ['admin@example.com']);
  const [row] = await service.sql(`select details from notices where kind = 'balance_low' and organization_id = $1`, [
    organization.organizationUuid,
  ]);
  assert.deepEqual(row, {
    details: {
      organization_name: 'Test Organization',
      environment: 'live',
      balance_cents: 7_000,
      threshold_cents: 8_000,
    },
  });
  await spend(1_000);
  await look();
  assert.deepEqual(await warned(), ['admin@example.com']);
});

test('it is told again only after the balance was at the threshold or above it', async () => {
  await setAlert(8_000);
  await spend(3_000);
  await look();
  assert.equal((await warned()).length, 1);
  await organization.fund('live', 999);
  await look();
  await spend(1_000);
  await look();
  assert.equal((await warned()).length, 1, 'it was at 7,999');
  await organization.fund('live', 2_001);
  await look();
  await spend(2_000);
  await look();
  assert.equal((await warned()).length, 2, 'it was at 9,000');
});

test('an organization that was never funded is told too, and so is one whose sandbox was reset; of a deleted one nobody is', async () => {
  const setOf = (environment: Environment) =>
    setBalanceAlert(service.service.deps, {
      organizationId: organization.organizationId,
      environment,
      thresholdCents: 1,
      actor: OPERATOR,
    });
  organization = await service.organization({ live: 0, sandbox: 10_000 });
  await setOf('live');
  await setOf('sandbox');
  await look();
  const told = () =>
    service.sql(
      `select details->>'environment' as environment, details->'balance_cents' as cents from notices
       where kind = 'balance_low' and organization_id = $1 order by notice_id`,
      [organization.organizationUuid],
    );
  assert.deepEqual(await told(), [{ environment: 'live', cents: 0 }]);
  assert.equal((await organization.sandbox.post('/v1/sandbox/reset')).status, 200);
  await look();
  await look();
  assert.deepEqual((await told()).slice(1), [{ environment: 'sandbox', cents: 0 }]);

  organization = await service.organization({ sandbox: 10_000 });
  const { organizationId } = organization;
  await setOf('sandbox');
  await deleteSandbox(service.service.deps, { organizationId, actor: OPERATOR });
  await look();
  assert.deepEqual(await told(), []);
});

test('all active admins and the billing contact are told, each once', async () => {
  const { second, member } = await organization.addMembers();
  await organization.setBillingContact(member);
  await setAlert(20_000);
  await look();
  assert.deepEqual((await warned()).sort(), ['admin@example.com', 'member@example.com', 'second@example.com']);
  await setAlert(null);
  await organization.deactivate(second);
  await organization.deactivate(member);
  await setAlert(20_000);
  await look();
  assert.deepEqual((await warned()).slice(3), ['admin@example.com']);
});

test('ten looks at once, from two processes, tell it once', async () => {
  const second = await service.second();
  await setAlert(20_000);
  await Promise.all(
    Array.from({ length: 10 }, (_, n) => warnOfLowBalances((n % 2 === 0 ? service : second).service.deps)),
  );
  assert.deepEqual(await warned(), ['admin@example.com']);
  await second.close();
});

test('a threshold is found, changed and removed; each change is recorded, and what changes nothing is not', async () => {
  const { organizationUuid: organizationId } = organization;
  const find = () => findBalanceAlert(service.service.deps, { organizationId, environment: 'live' });
  assert.equal(await find(), undefined);
  assert.equal(await setAlert(null), undefined);
  assert.deepEqual(await setAlert(20_000), { threshold: 20_000, warned_at: null });
  await look();
  const known = { threshold: 30_000, warned_at: new Date(service.clock.now()) };
  // They know that it is low: another threshold above it is no news.
  assert.deepEqual(await setAlert(30_000), known);
  assert.deepEqual(await setAlert(30_000), known);
  await look();
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

test('a threshold out of bounds is refused, and so is an organization that does not exist', async () => {
  for (const wrong of [0, -1, 1.5, Number.NaN, 2 ** 53])
    await assert.rejects(setAlert(wrong), OperatorError, String(wrong));
  const input = { environment: 'live', thresholdCents: 1, actor: OPERATOR } as const;
  const unknown = { ...input, organizationId: 'org_01h455vb4pex5vsknk084sn02q' };
  await assert.rejects(setBalanceAlert(service.service.deps, unknown), OperatorError);
});
