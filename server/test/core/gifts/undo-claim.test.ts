import assert from 'node:assert/strict';
import { test } from 'node:test';
import { finishClaimLater } from '../../../src/core/gifts/claim/finish-claim.ts';
import { undoClaim } from '../../../src/core/gifts/claim/undo-claim.ts';
import { decodeId } from '../../../src/platform/base/ids.ts';
import { linkGift } from '../../harness/api-client.ts';
import { chooseFake, type FakeProvider } from '../../harness/fake-issuer.ts';
import { openForFile } from '../../harness/open-for-file.ts';
import { OPERATOR } from '../../harness/operator.ts';
import { startTestService } from '../../harness/test-service.ts';

// A claim whose issuer never answers again can be undone, unless a card may work.

const service = openForFile(() => startTestService());

interface Begun {
  provider: FakeProvider;
  uuid: string;
  link: string;
  scope: { organizationId: string; environment: 'live' };
}

const claim = ({ link }: Begun) =>
  fetch(`${service.url}/g/${link.slice(-76)}/claim`, { method: 'POST', redirect: 'manual' });

/** A gift that is claiming, and a silent issuer. */
async function begin(): Promise<Begun> {
  const organization = await service.organization();
  const provider = await chooseFake([service], organization);
  const { body } = await organization.live.order([linkGift()]);
  const [{ gift_id, delivery }] = body.gifts;
  const scope = { organizationId: organization.organizationUuid, environment: 'live' } as const;
  const begun = { provider, uuid: decodeId('gift', gift_id) ?? '', link: delivery.link, scope };
  provider.answers = false;
  provider.before = () => Promise.reject(new Error('The provider is gone.'));
  await claim(begun);
  return begun;
}

const undo = ({ scope, uuid }: Begun) => undoClaim(service.service.deps, { scope, giftId: uuid, actor: OPERATOR });

const finish = ({ scope, uuid }: Begun) => finishClaimLater(service.service.deps, scope, uuid);

async function stateOf({ uuid, provider }: Begun) {
  const [row] = await service.sql<{ is_claimed: boolean; is_claiming: boolean; state: string; entered: string | null }>(
    `select g.claimed_at is not null as is_claimed, g.claiming_at is not null as is_claiming, k.state, k.entered
     from gifts g join cards k using (gift_id) where g.gift_id = $1`,
    [uuid],
  );
  return { ...row, cards: [...provider.cards.values()].map(({ state }) => state) };
}

const UNDONE = { is_claimed: false, is_claiming: false, state: 'refused', entered: null };
const CLAIMED = { is_claimed: true, is_claiming: false, state: 'active', entered: null };

test('a claim of a silent issuer is undone, and the gift is claimable again', async () => {
  const begun = await begin();
  await undo(begun);
  assert.deepEqual(await stateOf(begun), { ...UNDONE, cards: [] });
  const audited = await service.sql(
    `select details from audit_events where action = 'gift.claim_undone' and organization_id = $1`,
    [begun.scope.organizationId],
  );
  assert.deepEqual(audited, [{ details: { issuer: 'fake' } }]);
  await assert.rejects(undo(begun), /No claim of this gift waits/);
  begun.provider.before = () => undefined;
  assert.equal((await claim(begun)).status, 303);
  assert.deepEqual(await stateOf(begun), { ...CLAIMED, cards: ['active'] });
});

test('a claim whose issuer answers is not undone', async () => {
  const begun = await begin();
  begun.provider.answers = true;
  await assert.rejects(undo(begun), /The issuer answers/);
  assert.equal((await stateOf(begun)).is_claiming, true);
});

for (const call of ['issue', 'activate'] as const)
  test(`a claim is not undone once its card is in our books (${call})`, async () => {
    const begun = await begin();
    begun.provider.before = (current) => {
      if (call === 'activate' && current === 'activate') throw new Error('The provider is gone.');
    };
    await finish(begun).catch(() => undefined);
    await assert.rejects(undo(begun), /its card exists/);
    assert.equal((await stateOf(begun)).is_claimed, true);
  });

test('a card whose claim was undone while it was created is closed', async () => {
  const begun = await begin();
  begun.provider.before = () => undefined;
  begun.provider.after = async (call) => {
    if (call === 'issue') await undo(begun);
  };
  await assert.rejects(finish(begun));
  await finish(begun);
  assert.deepEqual(await stateOf(begun), { ...UNDONE, cards: ['closed'] });
});

test('of an undo and the finishing job, one wins', async () => {
  for (const first of ['undo', 'job', 'undo', 'job', 'undo', 'job']) {
    const begun = await begin();
    begun.provider.before = () => undefined;
    const acts = first === 'undo' ? [undo(begun), finish(begun)] : [finish(begun), undo(begun)];
    const ends = await Promise.allSettled(acts);
    const isUndone = ends[first === 'undo' ? 0 : 1]?.status === 'fulfilled';
    await finish(begun);
    const { cards, ...state } = await stateOf(begun);
    assert.deepEqual(state, isUndone ? UNDONE : CLAIMED);
    assert.ok(cards.every((card) => card === (isUndone ? 'closed' : 'active')));
  }
});
