import assert from 'node:assert/strict';
import { test } from 'node:test';
import { addIssuer } from '../../../src/capabilities/issuers/add-issuer.ts';
import { uploadCodes } from '../../../src/capabilities/issuers/own-codes/upload-codes.ts';
import { watchFunding } from '../../../src/capabilities/issuers/watch-funding.ts';
import { removeIssuer } from '../../../src/core/issuer/choose-issuer.ts';
import { encodeId } from '../../../src/platform/base/ids.ts';
import { linkGift } from '../../harness/api-client.ts';
import { chooseFake } from '../../harness/fake-issuer.ts';
import { openForFile } from '../../harness/open-for-file.ts';
import { OPERATOR } from '../../harness/operator.ts';
import { createPortalClient } from '../../harness/portal-client.ts';
import { startTestService } from '../../harness/test-service.ts';

const service = openForFile(() => startTestService({ RATE_LIMIT_ADDRESS_PER_SECOND: '100000' }));
const organization = openForFile(() => service.organization());
const member = openForFile(async () => {
  await organization.addMembers();
  return createPortalClient(service, 'member@example.com');
});

const CSV = 'value,code,shop\n25.00,A,Shop\n25.00,B,Shop\n';

test('a member sees who makes the cards, but not the amount of the balance', async () => {
  const { deps } = service.service;
  const { organizationUuid: organizationId, organizationId: id } = organization;
  const provider = await chooseFake([service], organization);
  provider.funds = { account: 'one', availableCents: 1_234 };
  const codes = { organizationId, categoryId: 'books', kind: 'codes', settings: { low_stock: '3' }, actor: OPERATOR };
  await addIssuer(deps, codes);
  const travel = await addIssuer(deps, { ...codes, categoryId: 'travel' });
  await removeIssuer(deps, encodeId('iss', travel.issuer_id), OPERATOR);
  await uploadCodes(deps, { organizationId, categoryId: 'books', csv: CSV, actor: OPERATOR });
  const { body } = await organization.live.order([linkGift()]);
  const path = `/g/${body.gifts[0].delivery.link.slice(-76)}/claim`;
  assert.equal((await fetch(service.url + path, { method: 'POST', redirect: 'manual' })).status, 303);
  await service.sql(`update issuers set funding_check_at = created_at`);
  await watchFunding(deps);
  const listed = await member.call('GET', `/organizations/${id}/issuers`);
  assert.equal(listed.status, 200);
  assert.ok(!JSON.stringify(listed.body).includes('1234'));
  const shown = listed.body.data.map(({ issuer_id, funding, ...rest }: Record<string, unknown>) => {
    assert.match(String(issuer_id), /^iss_/);
    const { checked_at, ...known } = (funding ?? {}) as Record<string, unknown>;
    return { ...rest, funding: funding === null ? null : known };
  });
  const common = { cards: 0, reconciled_at: null, funding: null };
  assert.deepEqual(shown, [
    {
      ...common,
      kind: 'fake',
      name: 'fake',
      category: null,
      state: 'chosen',
      cards: 1,
      stock: null,
      funding: { state: 'low', unspent: 2_500 },
    },
    {
      ...common,
      kind: 'codes',
      name: 'Own codes',
      category: 'books',
      state: 'chosen',
      stock: { codes: 2, is_low: true },
    },
    {
      ...common,
      kind: 'codes',
      name: 'Own codes',
      category: 'travel',
      state: 'removed',
      stock: { codes: 0, is_low: false },
    },
  ]);
});

test('an admin adds codes to the stock of own codes, all or none, and each once', async () => {
  const other = await service.organization();
  const admin = await createPortalClient(service, 'admin@example.com');
  const { deps } = service.service;
  const chosen = { organizationId: other.organizationUuid, kind: 'codes', settings: {}, actor: OPERATOR };
  const id = encodeId('iss', (await addIssuer(deps, { ...chosen, categoryId: 'books' })).issuer_id);
  const pathOf = (organizationId: string) => `/organizations/${organizationId}/issuers/${id}/codes`;
  const upload = async (csv: string, category = 'books') => {
    const { status, body } = await admin.call('POST', pathOf(other.organizationId), { category, csv });
    return [status, body.error?.message ?? body];
  };
  const stock = async () =>
    (await admin.call('GET', `/organizations/${other.organizationId}/issuers`)).body.data[0].stock.codes;

  assert.deepEqual(await upload('value,code,shop\n\n25.00,C,Shop\nfree,D,Shop'), [
    422,
    'Line 4: value must be an amount such as 25.00.',
  ]);
  assert.deepEqual(await upload(CSV, 'coffee'), [422, 'This issuer hands out codes for books only.']);
  assert.equal(await stock(), 0);
  const answers = await Promise.all([upload(CSV), upload(CSV), upload(CSV.replaceAll(',', ';'))]);
  assert.deepEqual(answers.map(([status, body]) => [status, body.added]).sort(), [
    [200, 0],
    [200, 0],
    [200, 2],
  ]);
  assert.equal(await stock(), 2);

  assert.equal(
    (await admin.call('POST', pathOf(organization.organizationId), { category: 'books', csv: CSV })).status,
    404,
  );
  await removeIssuer(deps, id, OPERATOR);
  assert.equal((await upload(CSV))[0], 404);
});

test('a member, and an admin whose sign-in is old, add no codes', async () => {
  const issuers = await member.call('GET', `/organizations/${organization.organizationId}/issuers`);
  const { issuer_id } = issuers.body.data.find(({ kind }: { kind: string }) => kind === 'codes');
  const path = `/organizations/${organization.organizationId}/issuers/${issuer_id}/codes`;
  const body = { category: 'books', csv: CSV };
  assert.equal((await member.call('POST', path, body)).body.error.code, 'admin_required');
  const admin = await createPortalClient(service, 'admin@example.com');
  await service.clock.jump(3_600_000);
  assert.equal((await admin.call('POST', path, body)).body.error.code, 'sign_in_again');
});
