import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { verifyLedger } from '../../../src/capabilities/seals/verify-ledger.ts';
import { chooseFake } from '../../harness/fake-issuer.ts';
import { FakeNetwork } from '../../harness/fake-network.ts';
import { openForFile } from '../../harness/open-for-file.ts';
import { startTestService } from '../../harness/test-service.ts';
import { deliveries } from './scenarios/network.ts';
import { playScenario, type Stage, scenarios } from './scenarios/play-scenario.ts';

// The same books result however an issuer's webhook events arrive.

const service = openForFile(() => startTestService());

let stage: Stage;
before(async () => {
  const organization = await service.organization({ live: 10_000_000 });
  const provider = await chooseFake([service], organization);
  const network = (giftId: string) => new FakeNetwork(service, organization, provider, giftId);
  stage = { service, organization, network };
});

test('there are thirty scenarios or more, each with its own name', () => {
  assert.ok(scenarios.length >= 30);
  assert.equal(new Set(scenarios.map(({ name }) => name)).size, scenarios.length);
});

for (const scenario of scenarios)
  test(`scenario: ${scenario.name}`, async () => {
    for (const delivery of deliveries) await playScenario(stage, scenario, delivery);
    assert.deepEqual((await verifyLedger(service.service.deps)).culprits, []);
  });
