import assert from 'node:assert/strict';
import { test } from 'node:test';
import { watchFunding } from '../../../src/capabilities/issuers/watch-funding.ts';
import { linkGift } from '../../harness/api-client.ts';
import { chooseFake, type FakeProvider } from '../../harness/fake-issuer.ts';
import { scrape } from '../../harness/metrics-text.ts';
import { openForFile } from '../../harness/open-for-file.ts';
import { startTestService, type TestOrganization } from '../../harness/test-service.ts';

// The balance at an issuer is compared with what gifts on its cards may still spend.

const service = openForFile(() => startTestService({ METRICS_PORT: '0' }));

interface Watched {
  organization: TestOrganization;
  provider: FakeProvider;
}

const fund = ({ provider }: Watched, account: string, availableCents: number) =>
  Object.assign(provider, { funds: { account, availableCents } });

/** An organization with a claimed gift of 25.00. */
async function withCard(): Promise<Watched> {
  const organization = await service.organization();
  const provider = await chooseFake([service], organization);
  await claim(organization);
  return { organization, provider };
}

async function claim({ live }: TestOrganization): Promise<void> {
  const { body } = await live.order([linkGift(2500)]);
  const path = `/g/${body.gifts[0].delivery.link.slice(-76)}/claim`;
  assert.equal((await fetch(`${service.url}${path}`, { method: 'POST', redirect: 'manual' })).status, 303);
}

/** Looks at the balances after the time of the next check. */
async function look(): Promise<void> {
  await service.sql(`update issuers set funding_check_at = '2020-01-01'`);
  await watchFunding(service.service.deps);
}

const mailsOf = async ({ organization }: Watched) => {
  const rows = await service.sql<{ details: Record<string, unknown> }>(
    `select details from notices where kind = 'funds_low' and organization_id = $1 order by created_at, notice_id`,
    [organization.organizationUuid],
  );
  return rows.map(({ details: { available_cents, unspent_cents } }) => [available_cents, unspent_cents]);
};

test('the admins get one mail each time the balance falls below its cards', async () => {
  const watched = await withCard();
  fund(watched, 'one', 2500);
  await look();
  assert.deepEqual(await mailsOf(watched), []);
  fund(watched, 'one', 2499);
  await look();
  await Promise.all([look(), look()]);
  assert.deepEqual(await mailsOf(watched), [[2499, 2500]]);
  fund(watched, 'one', 2500);
  await look();
  await claim(watched.organization);
  await look();
  assert.deepEqual(await mailsOf(watched), [
    [2499, 2500],
    [2500, 5000],
  ]);
});

test('a low balance is counted until it suffices', async () => {
  const watched = await withCard();
  const count = async () => (await scrape(service.service.metricsAddress() ?? ''))['bestow_issuer_balances_low'] ?? 0;
  const before = await count();
  fund(watched, 'counted', 0);
  await look();
  assert.equal(await count(), before + 1);
  fund(watched, 'counted', 2500);
  await look();
  assert.equal(await count(), before);
});

test('an issuer that does not answer is not taken for empty', async () => {
  const silent = await withCard();
  silent.provider.answers = false;
  await look();
  assert.deepEqual(await mailsOf(silent), []);
  silent.provider.answers = true;
  fund(silent, 'silent', 2500);
  await look();
  silent.provider.answers = false;
  await look();
  const [known] = await service.sql(
    'select funding_cents::integer, unspent_cents::integer from issuers where organization_id = $1',
    [silent.organization.organizationUuid],
  );
  assert.deepEqual(known, { funding_cents: 2500, unspent_cents: 2500 });
  assert.deepEqual(await mailsOf(silent), []);
});

test('cards of two organizations on one balance are added up, and neither sees it', async () => {
  const [first, second] = [await withCard(), await withCard()];
  for (const watched of [first, second]) fund(watched, 'shared', 4999);
  await look();
  assert.deepEqual(await mailsOf(first), [[null, 2500]]);
  assert.deepEqual(await mailsOf(second), [[null, 2500]]);
});

test('a removed issuer is watched until its cards are spent', async () => {
  const watched = await withCard();
  fund(watched, 'removed', 0);
  const own = [watched.organization.organizationUuid];
  await service.sql('update issuers set removed_at = now() where organization_id = $1', own);
  await look();
  assert.deepEqual(await mailsOf(watched), [[0, 2500]]);
  await service.sql('update gifts set spent_cents = 2500 where organization_id = $1', own);
  await look();
  await look();
  assert.deepEqual(
    await service.sql('select unspent_cents::integer, funding_warned_at from issuers where organization_id = $1', own),
    [{ unspent_cents: 0, funding_warned_at: null }],
  );
});
