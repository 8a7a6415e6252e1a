import assert from 'node:assert/strict';
import { test } from 'node:test';
import { OperatorError } from '../../../src/platform/base/operator-error.ts';
import { seedOrganizations } from '../../../src/surfaces/seed/seed-organizations.ts';
import { gift } from '../../harness/api-client.ts';
import { runBestow } from '../../harness/command-line.ts';
import { verifyAll } from '../../harness/ledger.ts';
import { openForFile } from '../../harness/open-for-file.ts';
import { OPERATOR } from '../../harness/operator.ts';
import { startTestService } from '../../harness/test-service.ts';

const service = openForFile(() => startTestService());

/** `bestow seed … --json` on the service's database. */
async function seed(environment: string, organizations: number, balanceCents: number) {
  const args = ['--organizations', `${organizations}`, '--environment', environment, '--balance', `${balanceCents}`];
  const { stdout, stderr } = await runBestow(service.target, ['seed', ...args, '--json']);
  assert.equal(stderr, '');
  return JSON.parse(stdout) as { organization_id: string; key: string }[];
}

for (const environment of ['sandbox', 'live'] as const)
  test(`seeded ${environment} organizations can order until their balance is spent`, async () => {
    const seeded = await seed(environment, 3, 5_000);
    assert.equal(new Set(seeded.map(({ organization_id }) => organization_id)).size, 3);
    for (const { organization_id, key, ...more } of seeded) {
      assert.match(organization_id, /^org_[0-9a-z]{26}$/);
      assert.match(key, environment === 'live' ? /^bestow-[0-9A-Za-z]{50}$/ : /^bestow-sandbox-[0-9A-Za-z]{50}$/);
      assert.deepEqual(more, {});
    }
    const answers = await Promise.all(seeded.map(({ key }) => service.api(key).order([gift(), gift()])));
    assert.deepEqual(
      answers.map(({ status }) => status),
      [201, 201, 201],
    );
    const { status, body } = await service.api(seeded[0]?.key).order([gift()]);
    assert.deepEqual([status, body.error.code], [402, 'insufficient_balance']);
    await verifyAll(service);
  });

test('seeds all organizations or none', async () => {
  const count = () => service.sql('select count(*) from organizations');
  const before = await count();
  const input = { organizations: 2, environment: 'live', balanceCents: Number.MAX_SAFE_INTEGER + 2 } as const;
  await assert.rejects(seedOrganizations(service.service.deps, { ...input, actor: OPERATOR }), OperatorError);
  assert.deepEqual(await count(), before);
});
