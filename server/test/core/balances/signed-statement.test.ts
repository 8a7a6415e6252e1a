import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sealChains } from '../../../src/capabilities/seals/seal-chains.ts';
import { verifyStatement } from '../../../src/capabilities/statements/verify-statement.ts';
import { linkGift } from '../../harness/api-client.ts';
import { openForFile } from '../../harness/open-for-file.ts';
import { portalBalance } from '../../harness/portal-balance.ts';
import { createPortalClient } from '../../harness/portal-client.ts';
import { startTestService } from '../../harness/test-service.ts';

const service = openForFile(() => startTestService());

async function download() {
  const organization = await service.organization();
  for (let n = 0; n < 5; n += 1) assert.equal((await organization.sandbox.order([linkGift(1_000)])).status, 201);
  await sealChains(service.service.deps);
  const admin = await createPortalClient(service, 'admin@example.com');
  const portal = portalBalance(service, organization, admin);
  const path = portal.at('/balance/statements/2026-11');
  const keys = await (await fetch(`${service.url}/.well-known/bestow-ledger-keys`)).text();
  return { admin, path, keys, organization };
}

test('the command verifies a statement from the portal, or says what was changed', async () => {
  const { admin, path, keys, organization } = await download();
  const { body, headers } = await admin.call('GET', `${path}/signed`);
  assert.match(headers.get('content-disposition') ?? '', /statement-sandbox-2026-11\.json/);
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  const { root: _, ...verified } = verifyStatement(text, keys);
  assert.deepEqual(verified, {
    organization_id: organization.organizationId,
    environment: 'sandbox',
    month: '2026-11',
    is_final: false,
    entries: 6,
    opening_balance: 0,
    closing_balance: 995_000,
  });
  for (const [from, to, message] of [
    ['"month":"2026-11"', '"month":"2026-12"', /head of the statement/],
    ['"amount":-1000', '"amount":-1001', /do not add up/],
    ['"balance_after":999000', '"balance_after":999001', /not those that were sealed/],
    ['"before":[]', '"before":["AAAA"]', /before the first entry/],
    ['statement 1 2026-11 open', 'statement 1 2026-11 final', /None of these keys/],
  ] as const) {
    assert.ok(text.includes(from), from);
    assert.throws(() => verifyStatement(text.replace(from, to), keys), message);
  }
  assert.throws(() => verifyStatement(text, '{"keys":[]}'), /file of keys/);
  assert.throws(() => verifyStatement('{}', keys), /not a statement/);
  assert.throws(() => verifyStatement('no', keys), /not JSON/);
});

test('a statement is a PDF for people', async () => {
  const { admin, path } = await download();
  const answer = await admin.call('GET', `${path}/pdf`);
  assert.equal(answer.status, 200);
  assert.equal(answer.headers.get('content-type'), 'application/pdf');
  assert.match(String(answer.body), /^%PDF-1\.\d/);
});

test('a month that does not exist is refused', async () => {
  const { admin, path } = await download();
  for (const file of ['signed', 'pdf'])
    assert.equal((await admin.call('GET', `${path.replace('2026-11', '2026-13')}/${file}`)).status, 422);
});
