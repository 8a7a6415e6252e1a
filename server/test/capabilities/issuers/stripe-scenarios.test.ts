import { after, before, test } from 'node:test';
import { chooseStripe, stripeForm } from '../../harness/choose-stripe.ts';
import { openForFile } from '../../harness/open-for-file.ts';
import { stripeNetwork } from '../../harness/stripe-network.ts';
import { startTestService } from '../../harness/test-service.ts';
import { type Stripe, startStripe } from '../stripe/server.ts';
import { deliveries } from './scenarios/network.ts';
import { playScenario, type Stage, scenarios } from './scenarios/play-scenario.ts';

// The scenarios of all issuers, on the fake of Stripe.

const service = openForFile(() => startTestService());

let stripe: Stripe;
let stage: Stage;
before(async () => {
  const organization = await service.organization({ live: 10_000_000 });
  stripe = await startStripe(service.clock);
  await chooseStripe(service, organization, stripe);
  stage = { service, organization, form: stripeForm, network: (giftId) => stripeNetwork(stripe, giftId) };
});
after(() => stripe.close());

for (const scenario of scenarios)
  test(`on Stripe: ${scenario.name}`, async () => {
    for (const delivery of deliveries) await playScenario(stage, scenario, delivery);
  });
