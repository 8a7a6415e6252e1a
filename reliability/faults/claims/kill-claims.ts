import { setTimeout as sleep } from 'node:timers/promises';
import { Client } from 'pg';
import { systemClock } from '../../../server/src/platform/base/clock.ts';
import { createIdGenerator, decodeId } from '../../../server/src/platform/base/ids.ts';
import { createCipher } from '../../../server/src/platform/encryption/cipher.ts';
import { HUNG_AFTER_MS } from '../../../server/test/harness/server-process.ts';
import type { Fault, FaultResult } from '../fault.ts';
import { type Installation, type InstalledServer, LINK_SECRET, openInstallation } from '../installation.ts';
import { type FakeIssuer, fakeLithic, fakeStripe, fakeTremendous } from './fake-issuer.ts';
import { judgeClaims } from './judge-claims.ts';
import { type LyingIssuer, startLyingIssuer } from './lying-issuer.ts';
import { type Claim, planClaims, takeLie } from './plan-claims.ts';

/** Claims that one kill interrupts, two at each step. */
const CLAIMS_OF_A_KILL = 20;
/** Less than a statement that claims waits for a lock. */
const WAITING_WITHIN_MS = 400;
const SETTLED_WITHIN_MS = 240_000;
const PRESSED_AGAIN_MS = 1_000;
const JOBS_NOW = `update pgboss.job set start_after = now()
  where name = 'finish-claim' and state in ('created', 'retry') and start_after > now()`;

export interface ClaimRun {
  installation: Installation;
  lying: LyingIssuer;
  claims: readonly Claim[];
  /** By gift; each card with the time at which the provider activated it. */
  activations: Map<string, Map<string, number>>;
  failures: string[];
  lies: Map<string, number>;
}

const kill = (name: string, issuer: string, start: () => Promise<FakeIssuer>): Fault => ({
  name,
  summary: `SIGKILL of two servers at every step of claims, while ${issuer} is down, slow or lies: one card for each gift.`,
  fullCount: 500,
  shortCount: 20,
  async run({ count, random, say, isQuick = false }) {
    const lying = await startLyingIssuer(await start());
    const installation = await openInstallation({ random, organizations: [{ environments: ['live'] }] });
    try {
      await choose(installation, lying);
      const servers = await Promise.all([installation.startServer(), installation.startServer()]);
      const [organization] = installation.organizations;
      if (organization === undefined) throw new Error('There is an organization.');
      const claims = await planClaims(servers[0].url, organization, {
        count,
        random,
        isQuick,
        operations: lying.fake.operations,
      });
      const run: ClaimRun = {
        installation,
        lying,
        claims,
        activations: new Map(),
        failures: [],
        lies: new Map(),
      };
      interfere(run);
      await killAll(run, servers, say);
      say('all killed');
      const seconds = await settle(run, servers, isQuick);
      return await resultOf(run, seconds);
    } finally {
      await installation.close();
      await lying.close();
    }
  },
});

export const killClaims = kill('claims', 'Stripe', fakeStripe);
export const killLithicClaims = kill('claims-lithic', 'Lithic', fakeLithic);
export const killTremendousClaims = kill('claims-tremendous', 'Tremendous', fakeTremendous);

async function choose({ sql, organizations }: Installation, { url, fake }: LyingIssuer): Promise<void> {
  const sealed = createCipher([LINK_SECRET]).encrypt(JSON.stringify({ ...fake.settings, api_base: url }));
  await sql(
    `insert into issuers (organization_id, issuer_id, kind, settings, created_at) values ($1, $2, $3, $4, now())`,
    [decodeId('org', organizations[0]?.organizationId ?? ''), createIdGenerator(systemClock).next(), fake.kind, sealed],
  );
}

/** Stops each claim at its step, then lies to it, and judges each activation when it happens. */
function interfere({ installation, lying, claims, activations, failures, lies }: ClaimRun): void {
  const byGift = new Map(claims.map((claim) => [claim.giftId, claim]));
  lying.before = async (call) => {
    const claim = byGift.get(call.giftId);
    if (claim === undefined) return undefined;
    const { step } = claim;
    if (!claim.isKilled && step.operation === call.operation && 'moment' in step && step.moment === 'before')
      return stopAt(claim);
    if (call.operation === 'activate') {
      const [row] = await installation.sql('select 1 from gifts where gift_id = $1 and claimed_at is not null', [
        call.giftId,
      ]);
      if (row === undefined) failures.push(`The card of gift ${call.giftId} was activated before the claim.`);
    }
    const lie = claim.isKilled ? takeLie(claim, call) : undefined;
    if (lie !== undefined) lies.set(lie.name, (lies.get(lie.name) ?? 0) + 1);
    return lie;
  };
  lying.after = async (call) => {
    const claim = byGift.get(call.giftId);
    if (claim === undefined) return true;
    for (const { id, isActive } of lying.fake.cardsOf(call.giftId)) {
      const known = activations.get(call.giftId) ?? new Map<string, number>();
      if (isActive && !known.has(id)) known.set(id, Date.now());
      activations.set(call.giftId, known);
    }
    const { step } = claim;
    if (claim.isKilled || step.operation !== call.operation) return true;
    if ('moment' in step) return step.moment === 'before' || stopAt(claim);
    if ('lock' in step) await claim.lock?.(step.lock);
    claim.reached.resolve();
    return true;
  };
}

async function stopAt(claim: Claim): Promise<false> {
  claim.reached.resolve();
  await claim.killed.promise;
  return false;
}

type Servers = [InstalledServer, InstalledServer];

/** Kills the two servers in turn. */
async function killAll(run: ClaimRun, servers: Servers, say: (text: string) => void): Promise<void> {
  const starting: [Promise<unknown>, Promise<unknown>] = [Promise.resolve(), Promise.resolve()];
  for (let round = 0; round * CLAIMS_OF_A_KILL < run.claims.length; round += 1) {
    const index = (round % 2) as 0 | 1;
    await starting[index];
    const claims = run.claims.slice(round * CLAIMS_OF_A_KILL, (round + 1) * CLAIMS_OF_A_KILL);
    await killAtSteps(run, servers[index], claims, round % 4 < 2);
    const { port } = servers[index];
    starting[index] = run.installation.startServer({ port }).then((server) => {
      servers[index] = server;
    });
    // Reported when the next kill of this server waits for it.
    starting[index].catch(() => undefined);
    if (round % 5 === 4) say(`${(round + 1) * CLAIMS_OF_A_KILL} of ${run.claims.length}`);
  }
  await Promise.all(starting);
}

/** @param rollsBack ends the sessions of the killed server, so that its waiting statements have no effect */
async function killAtSteps(
  run: ClaimRun,
  server: InstalledServer,
  claims: readonly Claim[],
  rollsBack: boolean,
): Promise<void> {
  const { installation, failures } = run;
  const locker = new Client(installation.target);
  await locker.connect();
  const lock = async (table: 'gifts' | 'cards', giftId: string) => {
    await locker.query(`select from ${table} where gift_id = $1 for update`, [giftId]);
  };
  try {
    await locker.query('begin');
    for (const claim of claims) claim.lock = (table) => lock(table, claim.giftId);
    const first = claims.filter(({ step }) => step.operation === undefined);
    const others = claims.filter((claim) => !first.includes(claim));
    for (const claim of others) void press(run, server, claim);
    const reached = Promise.all(others.map((claim) => claim.reached.promise));
    const isReached = await Promise.race([reached.then(() => true), sleep(HUNG_AFTER_MS).then(() => false)]);
    if (!isReached) failures.push('It hung: a claim did not come to its step.');
    await untilActive(
      installation,
      claims.filter(({ step }) => step.name === 'active'),
    );
    for (const { giftId } of first) await lock('gifts', giftId);
    for (const claim of first) void press(run, server, claim);
    const waiting = await waitingFor(installation, claims.filter(({ step }) => 'lock' in step).length);
    server.signal('SIGKILL');
    await server.ended;
    const killedAtMs = Date.now();
    if (rollsBack) await installation.sql('select pg_terminate_backend(pid) from unnest($1::int[]) pid', [waiting]);
    await locker.query('rollback');
    for (const claim of claims) {
      Object.assign(claim, { isKilled: true, killedAtMs });
      claim.killed.resolve();
    }
  } finally {
    await locker.end();
  }
}

async function untilActive({ sql }: Installation, claims: readonly Claim[]): Promise<void> {
  const untilMs = performance.now() + HUNG_AFTER_MS;
  for (;;) {
    const ids = claims.map(({ giftId }) => giftId);
    const active = await sql(`select from cards where gift_id = any ($1) and state = 'active'`, [ids]);
    if (active.length === claims.length || performance.now() > untilMs) return;
    await sleep(10);
  }
}

/** Waits until so many statements wait for a row. @returns their sessions */
async function waitingFor({ sql }: Installation, count: number): Promise<number[]> {
  const untilMs = performance.now() + WAITING_WITHIN_MS;
  for (;;) {
    const rows = await sql<{ pid: number }>(
      `select pid from pg_stat_activity where wait_event_type = 'Lock' and application_name = 'bestow'`,
    );
    if (rows.length >= count || performance.now() > untilMs) return rows.map(({ pid }) => pid);
  }
}

/** The recipient's form; the answer may never come. */
function press({ lying: { fake } }: ClaimRun, { url }: InstalledServer, { token }: Claim): Promise<unknown> {
  return fetch(`${url}/g/${token}/claim`, {
    method: 'POST',
    redirect: 'manual',
    body: new URLSearchParams(fake.form),
  }).then(
    (response) => response.arrayBuffer(),
    () => undefined,
  );
}

/**
 * Claims again what is claimable, until each gift has an active card.
 *
 * @param isQuick jobs do not wait @returns how many seconds that took
 */
async function settle(run: ClaimRun, servers: Servers, isQuick: boolean) {
  const { installation, claims, failures } = run;
  const startMs = performance.now();
  for (let again = 0; ; again += 1) {
    const rows = await installation.sql<{ gift_id: string; state: string }>(
      `select g.gift_id, case when g.claimed_at is not null and k.state = 'active' then 'done'
         when g.claimed_at is null and g.claiming_at is null then 'claimable' else 'unfinished' end as state
       from gifts g left join cards k using (organization_id, environment, gift_id)`,
    );
    const left = rows.filter(({ state }) => state !== 'done');
    if (left.length === 0) return (performance.now() - startMs) / 1_000;
    if (performance.now() - startMs > SETTLED_WITHIN_MS) {
      failures.push(`After ${SETTLED_WITHIN_MS / 1_000} s, ${left.length} gifts have no card that works.`);
      for (const { gift_id, state } of left.slice(0, 20)) failures.push(`Gift ${gift_id} is ${state}.`);
      return SETTLED_WITHIN_MS / 1_000;
    }
    const claimable = new Set(left.filter(({ state }) => state === 'claimable').map(({ gift_id }) => gift_id));
    for (const claim of claims)
      if (claimable.has(claim.giftId)) void press(run, servers[again % 2 === 0 ? 0 : 1], claim);
    if (isQuick) await installation.sql(JOBS_NOW);
    await sleep(PRESSED_AGAIN_MS);
  }
}

async function resultOf(run: ClaimRun, seconds: number): Promise<FaultResult> {
  const { violations, failures, waits } = await judgeClaims(run);
  const reached = run.claims.filter(({ isKilled }) => isKilled).length;
  const told = [...run.lies].map(([name, times]) => `${name} ${times}`).sort();
  const sorted = waits.toSorted((a, b) => a - b);
  const at = (share: number) => ((sorted[Math.ceil(share * sorted.length) - 1] ?? 0) / 1_000).toFixed(1);
  return {
    count: reached,
    violations,
    failures: [...run.failures, ...failures],
    recoveriesMs: run.claims.flatMap(({ giftId, killedAtMs }) =>
      [...(run.activations.get(giftId)?.values() ?? [])].filter((ms) => ms > killedAtMs).map((ms) => ms - killedAtMs),
    ),
    notes: [
      `all finished ${seconds.toFixed(0)} s after the last kill`,
      ...(run.lying.fake.operations.includes('activate')
        ? [`a claimed gift waited for its card ${at(0.5)} s (median), at most ${at(1)} s`]
        : []),
      `${[...run.lies.values()].reduce((sum, times) => sum + times, 0)} lies: ${told.join(', ')}`,
    ],
  };
}
