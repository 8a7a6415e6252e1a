import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { getCACertificates, setDefaultCACertificates } from 'node:tls';
import { allowChanges } from '../../server/test/harness/allow-changes.ts';
import { workOn, workUntil } from '../../server/test/harness/mail-server.ts';
import { HUNG_AFTER_MS } from '../../server/test/harness/server-process.ts';
import { startTestService, type TestService } from '../../server/test/harness/test-service.ts';
import { checkInvariants } from '../checker/check-invariants.ts';
import { type DeliveryFault, deliveryFaults } from '../faults/delivery/delivery-faults.ts';
import { type DeliveryCustomer, strikeMessages } from '../faults/delivery/strike-messages.ts';
import { openProvider, type StruckProvider } from '../faults/delivery/struck-provider.ts';
import { randomFrom } from '../faults/random.ts';
import { createLoadClient } from '../load/client.ts';
import { createRecorder, type Recorder } from '../record/recorder.ts';

// The short form of the delivery faults of `npm run faults`: the same strikes, in process and on a clock that jumps over the
// waits between tries. A silent server hangs up here; the long form waits 30 s.

const SEED = 20261121;

interface Struck extends DeliveryCustomer {
  service: TestService;
  provider: StruckProvider;
  recorder: Recorder;
}

async function install(t: TestContext, fault: DeliveryFault): Promise<Struck> {
  const recorder = createRecorder();
  const provider = await openProvider(fault, recorder);
  const before = getCACertificates('default');
  setDefaultCACertificates([...before, ...(provider.certificates?.trusted ?? [])]);
  const service = await startTestService(provider.variables);
  const { organizationId, keys } = await service.organization();
  const organization = { organizationId, environment: 'live', key: keys.live, number: 1, resets: false } as const;
  const random = randomFrom(SEED);
  const { url } = service;
  const client = createLoadClient({
    urls: [url],
    recorder,
    random,
    timeoutMs: HUNG_AFTER_MS,
    knownWithinMs: HUNG_AFTER_MS,
  });
  t.after(async () => {
    client.close();
    await service.close();
    await provider.close();
    setDefaultCACertificates(before);
  });
  return {
    service,
    provider,
    recorder,
    client,
    organization,
    sql: (text, values) => service.sql(text, values),
    async workUntil(isTrue, what) {
      await workUntil(
        service,
        async () => {
          const isSo = await isTrue();
          if (!isSo) provider.endSilence();
          return isSo;
        },
        what,
      );
    },
  };
}

async function violationsOf({ service, recorder, organization }: Struck): Promise<string[]> {
  const { target, url, clock } = service;
  const violations = await checkInvariants({
    target,
    recorder,
    url,
    keys: [organization],
    nowMs: clock.now(),
    isClockTrue: false,
  });
  return violations.map(({ invariant, text }) => `${invariant}: ${text}`);
}

/** Those that a single service can meet, because its provider and what outcome of the gifts are the same. */
const alike = Map.groupBy(deliveryFaults, (fault) =>
  [fault.channel, fault.outcome, fault.channel === 'email' && fault.usesTls].join(),
);

for (const faults of alike.values())
  test(`${faults[0]?.name} and similar faults: every gift is ${faults[0]?.outcome} once`, async (t) => {
    const strikes = faults.flatMap((fault) => fault.strikes as readonly never[]);
    const fault = { ...(faults[0] ?? assert.fail()), strikes };
    const struck = await install(t, fault);
    const count = strikes.length;
    const { failures } = await strikeMessages(struck, struck.provider, fault, { count, random: randomFrom(SEED) });
    // What was refused for good is not tried again.
    await workOn(struck.service, 5);
    assert.deepEqual(failures, []);
    assert.equal(struck.provider.struck(), count);
    assert.deepEqual(await violationsOf(struck), []);
  });

const withStrike = (reply: string, stage: 'recipient' | 'content'): DeliveryFault => ({
  name: reply,
  summary: reply,
  channel: 'email',
  outcome: 'sent',
  strikes: [{ stage, act: { reply } }],
});

test('a gift that is deleted while its message waits for another try gets none', async (t) => {
  const fault = withStrike('450 4.2.0 Greylisted', 'recipient');
  const struck = await install(t, fault);
  const { client, organization, provider, service } = struck;
  const email = 'deleted@example.com';
  for (const strike of fault.strikes) provider.strikeMessage(email, strike);
  await client.untilKnown({
    organization,
    operation: 'placeOrder',
    method: 'POST',
    path: '/v1/orders',
    idempotencyKey: 'deleted',
    request: { gifts: [{ amount: 1_000, category: 'coffee', delivery: { method: 'email', email } }] },
  });
  await struck.workUntil(() => provider.struck() === 1, 'it was tried once');
  await allowChanges(service.sql, ['gifts']);
  await service.sql('delete from gifts');
  await workOn(service, 20);
  assert.deepEqual(provider.copies, []);
});

test('the checks see a message that a provider said it took and that never arrived', async (t) => {
  const struck = await install(t, withStrike('250 2.0.0 Ok: queued', 'content'));
  const fault = withStrike('250 2.0.0 Ok: queued', 'content');
  const { failures } = await strikeMessages(struck, struck.provider, fault, { count: 1, random: randomFrom(SEED) });
  assert.deepEqual(failures, ['struck-0@bad.example: 0 copies, not 1 to 1.']);
  assert.match(
    (await violationsOf(struck)).join(),
    /^I7: Delivery \S+ counts as accepted, and no message of it arrived\.$/,
  );
});

test('the checks see a message that arrived twice although nothing was struck', async (t) => {
  const struck = await install(t, withStrike('450 4.2.0 Greylisted', 'recipient'));
  const fault = withStrike('450 4.2.0 Greylisted', 'recipient');
  await strikeMessages(struck, struck.provider, fault, { count: 1, random: randomFrom(SEED) });
  const [first] = struck.recorder.messages;
  assert.ok(first);
  struck.recorder.message(first);
  assert.match((await violationsOf(struck)).join(), /^I7: Delivery \S+ arrived 2 times, after 0 crashes\.$/);
});
