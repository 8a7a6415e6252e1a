import assert from 'node:assert/strict';
import { randomInt } from 'node:crypto';
import { after, before, type TestContext, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { createKey } from '../../src/authentication/key-format.ts';
import { encodeId } from '../../src/base/ids.ts';
import { revokeKey } from '../../src/keys/revoke-key.ts';
import { OPERATOR } from '../harness/operator.ts';
import { compare, differsBy, type Rounds, timeInRounds } from '../harness/paired-times.ts';
import { createPortalClient } from '../harness/portal-client.ts';
import { startTestService, type TestOrganization, type TestService } from '../harness/test-service.ts';

/**
 * Response times reveal nothing: unknown, revoked and valid keys, known and unknown addresses. `npm run security`
 * measures ten times as many rounds. Controls show that the test sees an added delay.
 */

const SEED = Number(process.env['SECURITY_SEED'] ?? randomInt(2 ** 31));
const LENGTH = Number(process.env['SECURITY_LENGTH'] ?? 1);

/** Answers over a network vary by more than this. */
const KEY_BOUND_MS = 1;
/** These calls write to the database, and an attacker has ten attempts, then one in ten seconds. */
const SIGN_IN_BOUND_MS = 3;

let service: TestService;
let organization: TestOrganization;
before(async () => {
  service = await startTestService({
    RATE_LIMIT_ADDRESS_PER_SECOND: '1000000',
    RATE_LIMIT_ADDRESS_BURST: '10000000',
    RATE_LIMIT_PER_SECOND: '1000000',
    RATE_LIMIT_BURST: '10000000',
  });
  organization = await service.organization();
  await organization.addMembers();
});
after(() => service?.close());

/** Prints the figures. */
function print<Name extends string>(t: TestContext, times: Rounds<Name>): void {
  const median = (list: number[]) => [...list].sort((a, b) => a - b)[Math.floor(list.length / 2)]?.toFixed(2);
  for (const name in times) t.diagnostic(`${name}: median ${median(times[name])} ms of ${times[name].length}`);
  t.diagnostic(`seed ${SEED}`);
}

/** Each is refused after one look-up: 401, 401, and 403 because a live key cannot reset. */
async function keyCalls() {
  const revoked = await organization.newKey('live');
  const { organizationId, organizationUuid } = organization;
  const [row] = await service.sql<{ key_id: string }>(
    'select key_id from api_keys where organization_id = $1 order by key_id desc limit 1',
    [organizationUuid],
  );
  await revokeKey(service.service.deps, { organizationId, keyId: encodeId('key', row?.key_id ?? ''), actor: OPERATOR });
  const call = (key: () => string, status: number) => async () => {
    const answer = await service.api(key()).post('/v1/sandbox/reset');
    assert.equal(answer.status, status);
  };
  return {
    unknown: call(() => createKey('live', organizationUuid), 401),
    revoked: call(() => revoked, 401),
    valid: call(() => organization.keys.live, 403),
  };
}

test('unknown, revoked and valid keys take the same time', async (t) => {
  const acts = await keyCalls();
  const times = await timeInRounds(acts, { rounds: 150 * LENGTH, seed: SEED });
  print(t, times);
  for (const [one, two] of [
    ['unknown', 'revoked'],
    ['unknown', 'valid'],
    ['revoked', 'valid'],
  ] as const) {
    const difference = compare(times[one], times[two]);
    assert.ok(!differsBy(difference, KEY_BOUND_MS), `${one} − ${two}: ${JSON.stringify(difference)}, seed ${SEED}`);
  }
});

const KNOWN = 'member@example.com';
const UNKNOWN = 'unknown@example.com';

/** The same calls for a member's address and for an unknown address, each in its own browser. */
async function signInCalls() {
  const [known, unknown] = [await createPortalClient(service, null), await createPortalClient(service, null)];
  const calls = (path: string, body: object) => {
    const call = (anonymous: typeof known, email: string) => async () => {
      const { status } = await anonymous.call('POST', path, { email, ...body });
      assert.notEqual(status, 429);
    };
    return { known: call(known, KNOWN), unknown: call(unknown, UNKNOWN) };
  };
  return {
    ask: calls('/auth/email-otp/send-verification-otp', { type: 'sign-in' }),
    tryWrong: calls('/auth/sign-in/email-otp', { otp: '000000' }),
  };
}

/** Removes the limits of attempts. */
const resetLimits = async () => {
  await service.clock.jump(120_000);
  await service.sql('delete from portal.failures');
};

for (const [what, kind, isAskedFirst] of [
  ['asking for a code', 'ask', false],
  ['trying a wrong code where none was asked for', 'tryWrong', false],
  ['trying a wrong code after asking for one', 'tryWrong', true],
] as const)
  test(`${what} takes the same time for known and unknown addresses`, async (t) => {
    await service.sql('delete from portal.flows');
    const calls = await signInCalls();
    const { [kind]: acts, ask } = calls;
    const prepare = async () => {
      await resetLimits();
      if (!isAskedFirst) return;
      await ask.known();
      await ask.unknown();
      // The first address's mail is being sent at the same time.
      await sleep(10);
    };
    const times = await timeInRounds(acts, { rounds: (isAskedFirst ? 20 : 40) * LENGTH, seed: SEED, prepare });
    print(t, times);
    const difference = compare(times.known, times.unknown);
    t.diagnostic(`known − unknown: ${JSON.stringify(difference)}`);
    assert.ok(!differsBy(difference, SIGN_IN_BOUND_MS), `${JSON.stringify(difference)}, seed ${SEED}`);
  });

const slowed = (act: () => Promise<void>, delayMs: number) => async () => {
  await sleep(delayMs);
  await act();
};

test('control: the test sees five extra milliseconds for a revoked key', async () => {
  const { unknown, revoked } = await keyCalls();
  const times = await timeInRounds({ unknown, slow: slowed(revoked, 5) }, { rounds: 100, seed: SEED });
  assert.ok(differsBy(compare(times.slow, times.unknown), KEY_BOUND_MS));
});

test('control: the test sees a code that is mailed before the answer', async () => {
  const {
    ask: { known, unknown },
  } = await signInCalls();
  const options = { rounds: 40, seed: SEED, prepare: resetLimits };
  const times = await timeInRounds({ slow: slowed(known, 15), unknown }, options);
  assert.ok(differsBy(compare(times.slow, times.unknown), SIGN_IN_BOUND_MS));
});
