import assert from 'node:assert/strict';
import { test } from 'node:test';
import { encodeId } from '../../src/base/ids.ts';
import { addIssuer, removeIssuer } from '../../src/issuers/change-issuers.ts';
import { uploadCodes } from '../../src/issuers/own-codes/upload-codes.ts';
import { watchFunding } from '../../src/issuers/watch-funding.ts';
import { linkGift } from '../harness/api-client.ts';
import { chooseFake } from '../harness/fake-issuer.ts';
import { openForFile } from '../harness/open-for-file.ts';
import { OPERATOR } from '../harness/operator.ts';
import { createPortalClient } from '../harness/portal-client.ts';
import { startTestService } from '../harness/test-service.ts';

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
      ...{ ...common, kind: 'fake', category: null, state: 'chosen', cards: 1, stock: null },
      funding: { state: 'low', unspent: 2_500 },
    },
    { ...common, kind: 'codes', category: 'books', state: 'chosen', stock: { codes: 2, is_low: true } },
    { ...common, kind: 'codes', category: 'travel', state: 'removed', stock: { codes: 0, is_low: false } },
  ]);
});
