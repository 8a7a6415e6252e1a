import assert from 'node:assert/strict';
import { test } from 'node:test';
import { eraseRecipient } from '../../../src/capabilities/erasure/erase-recipient.ts';
import { encryptAgain } from '../../../src/capabilities/secret-rotation/encrypt-again.ts';
import { expireGifts } from '../../../src/core/gifts/cancel/expire-gifts.ts';
import { finishClaimLater } from '../../../src/core/gifts/claim/finish-claim.ts';
import { removeIssuer } from '../../../src/core/issuer/choose-issuer.ts';
import { holdGifts } from '../../../src/core/organizations/hold-gifts.ts';
import { suspendOrganization } from '../../../src/core/organizations/suspend-organization.ts';
import { encodeId } from '../../../src/platform/base/ids.ts';
import { gift } from '../../harness/api-client.ts';
import { chooseFake, type FakeProvider } from '../../harness/fake-issuer.ts';
import { openForFile } from '../../harness/open-for-file.ts';
import { OPERATOR } from '../../harness/operator.ts';
import { giftLink, LINK_SECRET, startTestService, type TestOrganization } from '../../harness/test-service.ts';

// What happens to an organization, a recipient or an issuer while a claim is between two steps does not stop the claim, with one exception.

const service = openForFile(() => startTestService());
const RETRY_MS = 12_000;

interface Bought {
  organization: TestOrganization;
  provider: FakeProvider & { issuerId: string };
  address: string;
  /** The recipient presses the button. */
  claim(): Promise<Response>;
}

let bought = 0;

async function buy(services: Parameters<typeof chooseFake>[0] = [service]): Promise<Bought> {
  const organization = await service.organization();
  const provider = await chooseFake(services, organization);
  bought += 1;
  const address = `recipient-${bought}@example.com`;
  await organization.live.order([gift({ delivery: { method: 'email', email: address } })]);
  const link = await giftLink(service, organization, 'live');
  const claim = () =>
    fetch(`${service.url}${link.slice(link.indexOf('/g/'))}/claim`, { method: 'POST', redirect: 'manual' });
  return { organization, provider, address, claim };
}

/** Breaks the claim off after the act, at the call; afterwards the provider works. */
function interrupt({ provider }: Bought, call: 'issue' | 'activate', act: () => Promise<unknown>): void {
  const moment = call === 'issue' ? 'after' : 'before';
  provider[moment] = async (current) => {
    if (current !== call) return;
    provider[moment] = () => undefined;
    await act();
    throw new Error('The process was killed.');
  };
}

const stored = async ({ organization }: Bought) => {
  const [row] = await service.sql(
    `select g.gift_id, g.claimed_at is not null as is_claimed, g.address, k.state, k.issuer_id, k.entered
     from gifts g join cards k using (organization_id, environment, gift_id) where g.organization_id = $1`,
    [organization.organizationUuid],
  );
  assert.ok(row);
  return row;
};

const statesOf = ({ provider }: Bought) => [...provider.cards.values()].map(({ state }) => state);

const acts: Record<string, (bought: Bought) => Promise<unknown>> = {
  'the recipient is erased': ({ organization: { organizationId }, address }) =>
    eraseRecipient(service.service.deps, {
      organizationId,
      actor: OPERATOR,
      recipient: { method: 'email', email: address },
    }),
  'the organization is suspended': ({ organization: { organizationId } }) =>
    suspendOrganization(service.service.deps, { organizationId, actor: OPERATOR }),
  'the organization’s gifts are held': ({ organization: { organizationId } }) =>
    holdGifts(service.service.deps, { organizationId, actor: OPERATOR }),
  'the issuer is removed': ({ provider }) =>
    removeIssuer(service.service.deps, encodeId('iss', provider.issuerId), OPERATOR),
  async 'another issuer is chosen'({ organization, provider }) {
    await removeIssuer(service.service.deps, encodeId('iss', provider.issuerId), OPERATOR);
    const other = await chooseFake([service], organization);
    other.before = () => Promise.reject(new Error('Only the first issuer is asked.'));
  },
  async 'the gift is due to expire'({ organization }) {
    await service.sql('update gifts set expires_at = $2, expiry_announced_at = $2 where organization_id = $1', [
      organization.organizationUuid,
      new Date(service.clock.now() - 1),
    ]);
    await expireGifts(service.service.deps);
  },
};

for (const [name, act] of Object.entries(acts))
  for (const [moment, call] of [
    ['before', 'issue'],
    ['after', 'activate'],
  ] as const) {
    // Before, an erasure ends the claim (`forget-holder.test.ts`).
    if (name === 'the recipient is erased' && moment === 'before') continue;
    test(`a claim goes on if ${name} ${moment} it is committed`, async () => {
      const one = await buy();
      interrupt(one, call, () => act(one));
      assert.equal((await one.claim()).status, 303);
      assert.deepEqual(statesOf(one), ['inactive']);
      await service.clock.advance(RETRY_MS);
      const { is_claimed, state, issuer_id, entered, address } = await stored(one);
      assert.deepEqual(
        { is_claimed, state, issuer_id, entered },
        { is_claimed: true, state: 'active', issuer_id: one.provider.issuerId, entered: null },
      );
      assert.equal(address === one.address, name !== 'the recipient is erased');
      assert.deepEqual(statesOf(one), ['active']);
    });
  }

test('a claim goes on after the link secret was replaced', async () => {
  const replacing = await service.second({}, ['another secret, long enough for a seal', LINK_SECRET]);
  const later = await service.second({}, ['another secret, long enough for a seal']);
  const one = await buy([service, replacing, later]);
  one.provider.requirements = {
    schema: { type: 'object', properties: { name: { type: 'string', title: 'Name' } }, required: ['name'] },
  };
  interrupt(one, 'issue', () => encryptAgain(replacing.service.deps));
  const link = await giftLink(service, one.organization, 'live');
  const body = new URLSearchParams({ name: 'Ada' });
  await fetch(`${service.url}${link.slice(link.indexOf('/g/'))}/claim`, { method: 'POST', redirect: 'manual', body });
  const { gift_id } = await stored(one);
  const scope = { organizationId: one.organization.organizationUuid, environment: 'live' } as const;
  await finishClaimLater(later.service.deps, scope, String(gift_id));
  assert.deepEqual(statesOf(one), ['active']);
});
