import assert from 'node:assert/strict';
import { after, afterEach, before } from 'node:test';
import { reconcileIssuers } from '../../src/capabilities/issuers/reconcile-issuers.ts';
import { verifyLedger } from '../../src/capabilities/seals/verify-ledger.ts';
import { recordIssuerEvent } from '../../src/core/cards/record-issuer-event.ts';
import { finishClaimLater } from '../../src/core/gifts/claim/finish-claim.ts';
import type { ChosenIssuer } from '../../src/core/issuer/chosen-issuer.ts';
import type { RemoteIssuer } from '../../src/core/issuer/port.ts';
import { decodeId } from '../../src/platform/base/ids.ts';
import { type FakeTremendous, startTremendous } from '../capabilities/tremendous/server.ts';
import { linkGift } from './api-client.ts';
import { chooseIssuer } from './choose-stripe.ts';
import { openForFile } from './open-for-file.ts';
import { createRecipient, type Recipient } from './recipient.ts';
import { startTestService, type TestOrganization } from './test-service.ts';
import { ordersOf, tremendousSettings } from './tremendous-network.ts';

interface ClaimableGift {
  /** UUID. */
  giftId: string;
  link: string;
  browser: Recipient;
}

/** A service whose live gifts become rewards at the fake of Tremendous, for a test file. */
export class TremendousStage {
  readonly service = openForFile(() => startTestService());
  organization!: TestOrganization;
  tremendous!: FakeTremendous;
  eventsUrl = '';
  #issuerId = '';

  /** @param more settings of the issuer */
  constructor(more: Record<string, string> = {}) {
    before(async () => {
      this.organization = await this.service.organization({ live: 10_000_000 });
      this.tremendous = await startTremendous(this.service.clock);
      const settings = { ...tremendousSettings(this.tremendous), ...more };
      const { hooks, issuerId } = await chooseIssuer(this.service, this.organization, 'tremendous', settings);
      this.eventsUrl = `${hooks}/events`;
      this.#issuerId = issuerId;
    });
    afterEach(async () => {
      this.tremendous.fault = undefined;
      this.tremendous.state.pending = undefined;
      this.tremendous.network.waiting.length = 0;
      assert.deepEqual((await verifyLedger(this.service.service.deps)).culprits, []);
    });
    after(() => this.tremendous.close());
  }

  async order(value = 2_500, { live } = this.organization): Promise<ClaimableGift> {
    const { body } = await live.order([linkGift(value)]);
    const [{ gift_id, delivery }] = body.gifts;
    return { giftId: decodeId('gift', gift_id) ?? '', link: delivery.link, browser: createRecipient(this.service) };
  }

  /** An order whose page is open. */
  async opened(value?: number): Promise<ClaimableGift> {
    const gift = await this.order(value);
    await gift.browser.press(gift.link, 'open');
    return gift;
  }

  async claimed(): Promise<ClaimableGift & { reward: string }> {
    const gift = await this.order();
    assert.equal((await gift.browser.press(gift.link, 'claim')).status, 303);
    return { ...gift, reward: ordersOf(this.tremendous, gift.giftId)[0]?.rewards[0].id ?? '' };
  }

  /** An opened gift of another organization, whose issuer was not used before. @param more settings of the issuer */
  async ofNewIssuer(more: Record<string, string>): Promise<Omit<ClaimableGift, 'giftId'>> {
    const organization = await this.service.organization({ live: 10_000_000 });
    await chooseIssuer(this.service, organization, 'tremendous', { ...tremendousSettings(this.tremendous), ...more });
    const { body } = await organization.live.order([linkGift()]);
    const [{ delivery }] = body.gifts;
    const browser = createRecipient(this.service);
    await browser.press(delivery.link, 'open');
    return { link: delivery.link, browser };
  }

  async cardOf(giftId: string) {
    const rows = await this.service.sql<{ state: string; sealed: string | null; spent: number; held: number }>(
      `select k.state, k.sealed, g.spent_cents as spent, k.held_cents::integer as held
       from cards k join gifts g using (organization_id, environment, gift_id) where gift_id = $1`,
      [giftId],
    );
    assert.ok(rows[0]);
    return rows[0];
  }

  /** The issuer as the service has it. */
  async issuer(): Promise<RemoteIssuer> {
    const { organizationUuid } = this.organization;
    const [row] = await this.service.sql<ChosenIssuer>(
      'select issuer_id, kind, settings from issuers where organization_id = $1',
      [organizationUuid],
    );
    const issuer = await this.service.service.deps.issuers.open(organizationUuid, row ?? null);
    assert.ok(!issuer.isLocal);
    return issuer;
  }

  /** Runs the job of a claim. */
  finish(giftId: string): Promise<void> {
    const scope = { organizationId: this.organization.organizationUuid, environment: 'live' } as const;
    return finishClaimLater(this.service.service.deps, scope, giftId);
  }

  /** Presses a button. @returns where it leads */
  async open({ link, browser }: ClaimableGift, act = 'reveal'): Promise<string> {
    const { status, headers } = await browser.press(link, act);
    assert.equal(status, 303);
    return headers.get('location') ?? '';
  }

  async reconcile(): Promise<void> {
    await this.service.sql('update issuers set reconcile_at = $1', [new Date(this.service.clock.now())]);
    await reconcileIssuers(this.service.service.deps);
  }

  /** Sends the webhooks that wait, and runs their jobs as the queue would. */
  async deliver(times = 1): Promise<void> {
    for (const status of await this.tremendous.network.deliver(times, this.eventsUrl)) assert.equal(status, 200);
    await this.runEvents(this.organization, this.#issuerId);
  }

  /** Runs the jobs of events that an issuer has sent. */
  async runEvents({ organizationUuid: organizationId }: TestOrganization, issuerId: string): Promise<void> {
    const waiting = await this.service.sql<{ event_id: string }>(
      'select event_id from issuer_events where processed_at is null and issuer_id = $1',
      [issuerId],
    );
    for (const { event_id } of waiting)
      await recordIssuerEvent(this.service.service.deps, { organizationId, issuerId }, event_id);
  }
}
