import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { reconcileIssuers } from '../../../../src/capabilities/issuers/reconcile-issuers.ts';
import { recordIssuerEvent } from '../../../../src/core/cards/record-issuer-event.ts';
import { finishClaimLater } from '../../../../src/core/gifts/claim/finish-claim.ts';
import { decodeId } from '../../../../src/platform/base/ids.ts';
import { linkGift } from '../../../harness/api-client.ts';
import type { TestOrganization, TestService } from '../../../harness/test-service.ts';
import type { Delivery, Network, Scenario, Step } from './network.ts';

export const scenarios: readonly Scenario[] = JSON.parse(
  readFileSync(new URL('./scenarios.json', import.meta.url), 'utf8'),
);

/** Whether a link can play it, which is spent as a whole, without a question, and cannot be switched off. */
export const isForLinks = ({ value, steps }: Scenario): boolean =>
  steps.every((step) => {
    if (step.do === 'force') return step.amount === value;
    if (step.do === 'fail') return step.call === 'issue';
    return ['claim', 'job', 'recover', 'close'].includes(step.do);
  });

/** What a scenario is played on. */
export interface Stage {
  service: TestService;
  organization: TestOrganization;
  /** Makes the fake for a gift, before it is claimed. */
  network(giftId: string): Network;
  /** The fields of the claim's form. */
  form?: Record<string, string>;
}

/** Plays a scenario and holds the service's books against its end. Only `prompt` waits for each step's events. */
export async function playScenario(
  stage: Stage,
  { value, steps, expect }: Scenario,
  delivery: Delivery,
): Promise<void> {
  const { service, organization } = stage;
  const { body } = await organization.live.order([linkGift(value)]);
  const [{ gift_id, delivery: sent }] = body.gifts;
  const giftId = decodeId('gift', gift_id) ?? '';
  const network = stage.network(giftId);
  network.recover();
  const play = { ...stage, giftId, link: sent.link, network };
  for (const step of steps) {
    await playStep(play, step);
    if (delivery === 'prompt' || needsEvents(step)) await deliver(play, delivery === 'lost' ? 'prompt' : delivery);
  }
  await deliver(play, delivery);
  if (delivery === 'lost' || network.isAsked) {
    await service.sql('update issuers set reconcile_at = $1', [new Date(service.clock.now())]);
    await reconcileIssuers(service.service.deps);
  }
  assert.deepEqual(await booksOf(service, giftId), expect);
}

/** A later question depends on what was given back. */
const needsEvents = (step: Step) => step.do === 'reverse' || step.do === 'close';

interface Play extends Omit<Stage, 'network'> {
  giftId: string;
  link: string;
  network: Network;
}

/** Sends the events, and runs their jobs as the queue would. */
async function deliver({ service, network }: Play, delivery: Delivery): Promise<void> {
  await network.deliver(delivery);
  const waiting = await service.sql<{ organization_id: string; issuer_id: string; event_id: string }>(
    'select organization_id, issuer_id, event_id from issuer_events where processed_at is null order by received_at, ctid',
  );
  for (const { organization_id: organizationId, issuer_id: issuerId, event_id } of waiting)
    await recordIssuerEvent(service.service.deps, { organizationId, issuerId }, event_id);
}

async function playStep({ giftId, link, network, ...stage }: Play, step: Step): Promise<void> {
  const { deps } = stage.service.service;
  switch (step.do) {
    case 'claim':
      return claim(stage, link, step.expect ?? 'claimed');
    case 'job':
      return finishClaimLater(
        deps,
        { organizationId: stage.organization.organizationUuid, environment: 'live' },
        giftId,
      );
    case 'fail':
      return network.fail(step.call, step.when);
    case 'recover':
      return network.recover();
    default: {
      const answer = await network.play(step);
      if ('expect' in step) assert.equal(answer, step.expect, JSON.stringify(step));
    }
  }
}

async function claim({ service, form }: Omit<Stage, 'network'>, link: string, expected: string): Promise<void> {
  const url = `${service.url}/g/${link.slice(-76)}`;
  const body = form && new URLSearchParams(form);
  const answer = await fetch(`${url}/claim`, { method: 'POST', redirect: 'manual', ...(body && { body }) });
  const page = await (await fetch(url)).text();
  const isPending = page.includes('http-equiv="refresh"');
  assert.equal(answer.status === 422 ? 'refused' : isPending ? 'pending' : 'claimed', expected);
}

async function booksOf(service: TestService, giftId: string): Promise<Scenario['expect']> {
  const [row] = await service.sql<{ spent: number; held: string; overspent: string; card: never }>(
    `select g.spent_cents as spent, coalesce(k.held_cents, 0) as held, coalesce(k.overspent_cents, 0) as overspent,
       coalesce(k.state, 'none') as card
     from gifts g left join cards k using (organization_id, environment, gift_id) where g.gift_id = $1`,
    [giftId],
  );
  assert.ok(row);
  return { spent: row.spent, held: Number(row.held), overspent: Number(row.overspent), card: row.card };
}
