import { encodeId } from '../../src/platform/base/ids.ts';
import type { Network, Scenario } from '../capabilities/issuers/scenarios/network.ts';
import { isForLinks } from '../capabilities/issuers/scenarios/play-scenario.ts';
import { startLithic } from '../capabilities/lithic/server.ts';
import { startStripe } from '../capabilities/stripe/server.ts';
import { startTremendous } from '../capabilities/tremendous/server.ts';
import { stripeForm, stripeSettings } from './choose-stripe.ts';
import { lithicForm, lithicNetwork, lithicSettings } from './lithic-network.ts';
import { stripeNetwork } from './stripe-network.ts';
import { ordersOf, tremendousNetwork, tremendousSettings } from './tremendous-network.ts';

/** A fake of a provider that runs, with what the tests of all issuers need of it. Gifts are UUIDs. */
interface RunningFake {
  /** What an operator sets for it. */
  settings: Record<string, string>;
  /** A recipient's answers to the form of a claim; empty if there is no form. */
  form: Record<string, string>;
  /** Tells it the address to which its events and questions go, without `/events`. */
  connect(hooks: string): void;
  /** What happens to a gift's card. */
  network(giftId: string): Network;
  /** The provider's ids of all cards that it made for a gift. */
  cardsOf(giftId: string): string[];
  /** From now on it knows another API key only. */
  replaceKey(): void;
  close(): Promise<void>;
}

interface IssuerFake {
  start(clock: { now(): number }): Promise<RunningFake>;
  /** Scenarios that its cards cannot play; undefined: they can play all. */
  cannotPlay?(scenario: Scenario): boolean;
}

const stripe: IssuerFake = {
  async start(clock) {
    const fake = await startStripe(clock);
    return {
      settings: stripeSettings(fake),
      form: stripeForm,
      connect(hooks) {
        fake.webhooks.url = `${hooks}/events`;
        fake.questions.url = `${hooks}/authorizations`;
      },
      network: (giftId) => stripeNetwork(fake, giftId),
      cardsOf: (giftId) =>
        fake.account.all('issuing.card', ({ metadata }) => metadata.gift === giftId).map(({ id }) => id),
      replaceKey() {
        fake.secretKey = 'sk_live_another';
      },
      close: () => fake.close(),
    };
  },
};

const lithic: IssuerFake = {
  async start(clock) {
    const fake = await startLithic(clock);
    return {
      settings: lithicSettings(fake),
      form: lithicForm,
      connect(hooks) {
        fake.network.eventsUrl = `${hooks}/events`;
        fake.network.asaUrl = `${hooks}/authorizations`;
      },
      network: (giftId) => lithicNetwork(fake, giftId),
      cardsOf: (giftId) =>
        [...fake.state.cards.values()]
          .filter(({ memo = '' }) => memo.startsWith(encodeId('gift', giftId)))
          .map(({ token }) => token),
      replaceKey() {
        fake.apiKey = 'another-key';
      },
      close: () => fake.close(),
    };
  },
};

const tremendous: IssuerFake = {
  cannotPlay: (scenario) => !isForLinks(scenario),
  async start(clock) {
    const fake = await startTremendous(clock);
    let eventsUrl = '';
    return {
      settings: tremendousSettings(fake),
      form: {},
      connect(hooks) {
        eventsUrl = `${hooks}/events`;
      },
      network: (giftId) => tremendousNetwork(fake, eventsUrl, giftId),
      cardsOf: (giftId) => ordersOf(fake, giftId).map(({ rewards: [{ id }] }) => id),
      replaceKey() {
        fake.apiKey = 'TEST_another-key';
      },
      close: () => fake.close(),
    };
  },
};

/** Of every kind of issuer that calls a provider. */
export const issuerFakes: Readonly<Record<string, IssuerFake>> = { lithic, stripe, tremendous };
