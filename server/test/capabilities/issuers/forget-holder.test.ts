import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { eraseGiftName } from '../../../src/capabilities/erasure/erase-gift-name.ts';
import { eraseRecipient } from '../../../src/capabilities/erasure/erase-recipient.ts';
import { forgetHolders } from '../../../src/core/cards/forget-holders.ts';
import { finishClaimLater } from '../../../src/core/gifts/claim/finish-claim.ts';
import { giftLink } from '../../../src/core/gifts/gift/present-gift.ts';
import { requireGift } from '../../../src/core/gifts/gift/retrieve-gift.ts';
import { admitted } from '../../../src/platform/authentication/caller.ts';
import { decodeId } from '../../../src/platform/base/ids.ts';
import { gift } from '../../harness/api-client.ts';
import { chooseStripe, stripeForm } from '../../harness/choose-stripe.ts';
import { chooseFake } from '../../harness/fake-issuer.ts';
import { openForFile } from '../../harness/open-for-file.ts';
import { OPERATOR } from '../../harness/operator.ts';
import { startTestService, type TestOrganization } from '../../harness/test-service.ts';
import type { Json } from '../stripe/account.ts';
import { type Stripe, startStripe } from '../stripe/server.ts';

// Erasing a recipient ends what the issuer of the card keeps, as far as the issuer allows.

const service = openForFile(() => startTestService());
let organization: TestOrganization;
let stripe: Stripe;
before(async () => {
  organization = await service.organization();
  stripe = await startStripe(service.clock);
  await chooseStripe(service, organization, stripe);
});
after(() => stripe.close());

let count = 0;

interface Bought {
  giftId: string;
  uuid: string;
  email: string;
}

/** Claims a gift; an email gift goes to a new address. */
async function claimed(
  { live, organizationUuid }: TestOrganization,
  method: 'email' | 'link' = 'email',
): Promise<Bought> {
  count += 1;
  const email = `ada${count}@engines.example`;
  const { body } = await live.order([gift({ delivery: method === 'email' ? { method, email } : { method } })]);
  const giftId: string = body.gifts[0].gift_id;
  const uuid = decodeId('gift', giftId) ?? '';
  const { deps } = service.service;
  const scope = { organizationId: organizationUuid, environment: 'live' } as const;
  const link = giftLink(deps.links, scope, await requireGift(deps, admitted(scope), uuid));
  const path = `/g/${link.slice(-76)}/claim`;
  await fetch(service.url + path, { method: 'POST', redirect: 'manual', body: new URLSearchParams(stripeForm) });
  return { giftId, uuid, email };
}

const erase = ({ email }: Bought) =>
  eraseRecipient(service.service.deps, { recipient: { method: 'email', email }, actor: OPERATOR });

const holderOf = ({ uuid }: Bought): Json =>
  stripe.account.all('issuing.card', ({ metadata }) => metadata.gift === uuid)[0].cardholder;

const spend = ({ uuid }: Bought) =>
  service.sql('update gifts set spent_cents = amount_cents where gift_id = $1', [uuid]);

const dueOf = async ({ uuid }: Bought) =>
  (await service.sql<{ erase_at: Date | null }>('select erase_at from cards where gift_id = $1', [uuid]))[0]?.erase_at;

test('the cardholder of an erased recipient is made inactive once the card is spent', async () => {
  const bought = await claimed(organization);
  await erase(bought);
  await forgetHolders(service.service.deps);
  assert.equal(holderOf(bought).status, 'active');
  await spend(bought);
  await service.clock.jump(24 * 3_600_000);
  await forgetHolders(service.service.deps);
  const { status, metadata } = holderOf(bought);
  assert.deepEqual({ status, metadata }, { status: 'inactive', metadata: {} });
  assert.equal(await dueOf(bought), null);
});

test('while Stripe does not answer, erasing is tried again each hour', async () => {
  const bought = await claimed(organization);
  await spend(bought);
  await erase(bought);
  const { issuers } = service.service.deps;
  const silent = { ...issuers, open: () => Promise.reject(new Error('Stripe is down.')) };
  await forgetHolders({ ...service.service.deps, issuers: silent });
  assert.equal((await dueOf(bought))?.getTime(), service.clock.now() + 3_600_000);
  await service.clock.jump(3_600_000);
  await forgetHolders(service.service.deps);
  assert.equal(holderOf(bought).status, 'inactive');
});

test('the holder of a link gift’s card is forgotten with its name', async () => {
  const bought = await claimed(organization, 'link');
  await spend(bought);
  await eraseGiftName(service.service.deps, { giftId: bought.giftId, actor: OPERATOR });
  await forgetHolders(service.service.deps);
  assert.equal(holderOf(bought).status, 'inactive');
});

test('a gift that went on to another person keeps that person’s cardholder', async () => {
  const bought = await claimed(organization);
  await spend(bought);
  await service.sql(`update deliveries set address = 'first@engines.example' where gift_id = $1`, [bought.uuid]);
  await erase({ ...bought, email: 'first@engines.example' });
  assert.equal(await dueOf(bought), null);
});

test('erasing ends a claim that waits for its issuer, with what was entered', async () => {
  const other = await service.organization();
  const provider = await chooseFake([service], other);
  const { schema } = (await import('../../../src/capabilities/issuers/stripe/requirements.ts')).requirementsOf({
    terms: { url: '', version: '' },
  } as never);
  provider.requirements = { schema };
  provider.before = () => Promise.reject(new Error('The provider is down.'));
  const bought = await claimed(other);
  const rowOf = async () =>
    (
      await service.sql<{ state: string; entered: string | null; claiming: boolean }>(
        `select k.state, k.entered is not null as entered, g.claiming_at is not null as claiming
       from cards k join gifts g using (gift_id) where k.gift_id = $1`,
        [bought.uuid],
      )
    )[0];
  assert.deepEqual(await rowOf(), { state: 'claiming', entered: true, claiming: true });
  await erase(bought);
  assert.deepEqual(await rowOf(), { state: 'refused', entered: false, claiming: false });
  provider.before = () => undefined;
  await finishClaimLater(
    service.service.deps,
    { organizationId: other.organizationUuid, environment: 'live' },
    bought.uuid,
  );
  assert.equal(provider.cards.size, 0);
});
