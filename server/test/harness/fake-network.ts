import assert from 'node:assert/strict';
import type { Fact } from '../../src/core/issuer/port.ts';
import { encodeId } from '../../src/platform/base/ids.ts';
import type { Delivery, Network, Step } from '../capabilities/issuers/scenarios/network.ts';
import { type FakeProvider, sign } from './fake-issuer.ts';
import type { TestOrganization, TestService } from './test-service.ts';

/** `Omit` of each member of a union. */
type Without<Union, Names extends PropertyKey> = Union extends unknown ? Omit<Union, Names> : never;
type NewFact = Without<Fact, 'factId' | 'providerId' | 'at'>;
type Answer = 'approved' | 'declined';

const SHOP = 'Corner Shop';

/** The network behind a fake provider's card of one gift: it asks, keeps what happened, and sends it as webhook events. */
export class FakeNetwork implements Network {
  readonly #service: TestService;
  readonly #provider: FakeProvider & { issuerId: string };
  readonly #url: string;
  readonly #providerId: string;
  readonly #holds = new Map<string, number>();
  #waiting: Fact[] = [];
  #count = 0;
  #asked = '';

  constructor(
    service: TestService,
    { organizationId }: TestOrganization,
    provider: FakeProvider & { issuerId: string },
    giftId: string,
  ) {
    this.#service = service;
    this.#provider = provider;
    this.#url = `${service.url}/hooks/issuers/${organizationId}/${encodeId('iss', provider.issuerId)}`;
    this.#providerId = `fake_${encodeId('gift', giftId)}-1`;
  }

  async play(step: Parameters<Network['play']>[0]): Promise<Answer | undefined> {
    if (step.do === 'repeat') return this.#ask(this.#asked);
    if (step.do === 'authorize' || step.do === 'increment') return this.#hold(this.#idOf(step.hold), step.amount);
    this.#add(this.#factOf(step));
    return undefined;
  }

  fail(failing: 'issue' | 'activate', when: 'before' | 'after'): void {
    this.#provider[when] = (current) => {
      if (current === failing) throw new Error('The provider answers 500.');
    };
  }

  recover(): void {
    this.#provider.before = () => undefined;
    this.#provider.after = () => undefined;
  }

  async deliver(delivery: Delivery): Promise<void> {
    const facts = this.#waiting;
    this.#waiting = [];
    if (delivery === 'lost') return;
    const ordered = delivery === 'reversed' ? facts.toReversed() : facts;
    for (const fact of delivery === 'doubled' ? [...ordered, ...ordered] : ordered) {
      const answer = await this.#call('events', JSON.stringify({ eventId: `evt_${fact.factId}`, facts: [fact] }));
      assert.equal(answer.status, 200);
    }
  }

  #factOf(
    step: Exclude<Step, { do: 'claim' | 'job' | 'fail' | 'recover' | 'repeat' | 'authorize' | 'increment' }>,
  ): NewFact {
    switch (step.do) {
      case 'reverse': {
        const holdId = this.#idOf(step.hold);
        const before = this.#holds.get(holdId) ?? 0;
        this.#holds.delete(holdId);
        return step.amount === undefined
          ? { kind: 'released', holdId }
          : { kind: 'hold_changed', holdId, amountCents: before - step.amount, merchant: SHOP };
      }
      case 'capture': {
        const { amount: amountCents, more = false } = step;
        return { kind: 'captured', holdId: this.#idOf(step.hold), amountCents, merchant: SHOP, isFinal: !more };
      }
      case 'force':
        return { kind: 'captured', holdId: null, amountCents: step.amount, merchant: SHOP, isFinal: true };
      case 'refund':
        return { kind: 'refunded', amountCents: step.amount, merchant: SHOP };
      case 'dispute':
        return { kind: 'disputed', disputeId: step.id, amountCents: step.amount, outcome: step.outcome };
      case 'close':
        return { kind: 'closed' };
    }
  }

  async #hold(holdId: string, amountCents: number): Promise<Answer> {
    const { at, n } = this.#next();
    const question = { authorizationId: `${holdId}_${n}`, holdId, providerId: this.#providerId, amountCents };
    const answer = await this.#ask(JSON.stringify({ ...question, merchant: SHOP, at }));
    if (answer === 'declined') return answer;
    const before = this.#holds.get(holdId);
    const total = (before ?? 0) + amountCents;
    this.#holds.set(holdId, total);
    this.#add({ kind: before === undefined ? 'hold' : 'hold_changed', holdId, amountCents: total, merchant: SHOP });
    return answer;
  }

  async #ask(body: string): Promise<Answer> {
    this.#asked = body;
    const answer = await this.#call('authorizations', body);
    assert.equal(answer.status, 200);
    return ((await answer.json()) as { approved: boolean }).approved ? 'approved' : 'declined';
  }

  #add(fact: NewFact): void {
    const { at, n } = this.#next();
    const added = { ...fact, factId: `${this.#providerId}_${n}`, providerId: this.#providerId, at } as Fact;
    this.#provider.facts.push(added);
    this.#waiting.push(added);
  }

  /** A millisecond apart, so that the order of facts is known. */
  #next(): { n: number; at: Date } {
    this.#count += 1;
    return { n: this.#count, at: new Date(this.#service.clock.now() + this.#count) };
  }

  #idOf(hold: string): string {
    return `${this.#providerId}_${hold}`;
  }

  #call(path: string, body: string): Promise<Response> {
    return fetch(`${this.#url}/${path}`, { method: 'POST', headers: { 'fake-signature': sign(body) }, body });
  }
}
