import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Simulation, simulateGift } from '../../../src/core/gifts/sandbox/simulate-gift.ts';
import { admitted } from '../../../src/platform/authentication/caller.ts';
import type { Actor } from '../../../src/platform/base/actor.ts';
import { BestowError } from '../../../src/platform/base/errors.ts';
import { decodeId, encodeId } from '../../../src/platform/base/ids.ts';
import { OperatorError } from '../../../src/platform/base/operator-error.ts';
import { type Action, actions } from '../../../src/surfaces/audit-log.ts';
import { emailGift } from '../../harness/api-client.ts';
import { eventsOf, memberOf } from '../../harness/audit-log.ts';
import { auditedActs } from '../../harness/audited-acts.ts';
import { openForFile } from '../../harness/open-for-file.ts';
import { OPERATOR } from '../../harness/operator.ts';
import { startTestService } from '../../harness/test-service.ts';

const service = openForFile(() => startTestService());

const shown = (actor: Actor) =>
  actor.kind === 'member'
    ? { kind: 'member', member_id: encodeId('mem', actor.memberId), name: actor.email, address: actor.address }
    : { kind: 'operator', member_id: null, name: 'the operator (tester)', address: 'test.host' };

/** @param by who is recorded, if not the actor */
function shownBy(by: string | undefined, actor: Actor, recorded: object) {
  if (by === undefined) return shown(actor);
  const [kind, address] = by === 'the recipient' ? ['recipient', 'the gift’s page'] : ['member', '203.0.113.7'];
  return { ...recorded, kind, name: by, address };
}

/** Creates an organization and the objects that the act needs. */
async function prepare(name: Action) {
  const organization = await service.organization();
  const { prepare: first } = auditedActs[name];
  const prepared = (await first?.(service.service.deps, organization)) ?? '';
  return { organization, prepared };
}

/** Runs an act again, which may refuse. */
async function again(act: () => Promise<unknown>): Promise<void> {
  try {
    await act();
  } catch (error) {
    if (!(error instanceof OperatorError || error instanceof BestowError)) throw error;
  }
}

for (const name of actions.filter((action) => action !== 'organization.created'))
  for (const kind of (['member', 'operator'] as const).filter((one) => (auditedActs[name].only ?? one) === one))
    test(`${name} as ${kind} is recorded once with actor and address`, async () => {
      const { deps } = service.service;
      const { organization, prepared } = await prepare(name);
      const { act, target, environment, sentence, isRepeatable = false, by } = auditedActs[name];
      const actor = kind === 'member' ? memberOf(organization) : OPERATOR;
      const earlier = await eventsOf(service, organization.organizationId);
      await act(deps, organization, actor, prepared);
      const [event, ...rest] = await eventsOf(service, organization.organizationId);
      assert.deepEqual(rest, earlier);
      assert.ok(event);
      if (target === 'prepared') assert.equal(event.target, prepared);
      else if (target === null) assert.equal(event.target, null);
      else assert.match(event.target ?? '', new RegExp(`^${target}[0-9a-z]{26}$`));
      assert.match(event.event_id, /^evt_[0-9a-z]{26}$/);
      const expected = {
        action: name,
        environment,
        sentence,
        actor: shownBy(by, actor, event.actor),
        created_at: new Date(service.clock.now()),
      };
      assert.deepEqual(event, { event_id: event.event_id, target: event.target, ...expected });

      await again(() => act(deps, organization, actor, prepared));
      const repeated = (await eventsOf(service, organization.organizationId)).length - earlier.length - 1;
      assert.equal(repeated, isRepeatable ? 1 : 0);
    });

test('the first event of an organization’s log is its creation', async () => {
  const { act, sentence } = auditedActs['organization.created'];
  const { organization, prepared } = await prepare('organization.created');
  const created = (await act(service.service.deps, organization, OPERATOR, prepared)) as { organization_id: string };
  const [event, ...rest] = await eventsOf(service, created.organization_id);
  assert.deepEqual(rest, []);
  assert.deepEqual(event, {
    event_id: event?.event_id,
    environment: null,
    action: 'organization.created',
    sentence,
    target: created.organization_id,
    actor: shown(OPERATOR),
    created_at: new Date(service.clock.now()),
  });
});

/** A sum over all rows of each table, except columns of notices that jobs change. */
async function everything(): Promise<Record<string, string>> {
  const tables = await service.sql<{ name: string }>(
    `select table_name as name from information_schema.columns
     where table_schema = 'public' and column_name = 'organization_id' order by 1`,
  );
  assert.ok(tables.length > 10, `${tables.length} tables`);
  const sums = tables.map(({ name }) => {
    const shape = name === 'notices' ? 't.notice_id::text' : 't::text';
    return `select '${name}' as name, format('%s rows, %s', count(*), sum(hashtextextended(${shape}, 0))) as rows from ${name} t`;
  });
  const rows = await service.sql<{ name: string; rows: string }>(sums.join(' union all '));
  return Object.fromEntries(rows.map(({ name, rows: sum }) => [name, sum]));
}

test('a change that cannot be recorded is rolled back', async () => {
  for (const name of actions.filter((action) => auditedActs[action].only !== 'operator')) {
    const { organization, prepared } = await prepare(name);
    const before = await everything();
    await service.sql('alter table audit_events add constraint log_is_full check (false) not valid');
    try {
      await assert.rejects(
        auditedActs[name].act(service.service.deps, organization, memberOf(organization), prepared),
        { code: '23514', constraint: 'log_is_full' },
        name,
      );
    } finally {
      await service.sql('alter table audit_events drop constraint log_is_full');
    }
    assert.deepEqual(await everything(), before, name);
  }
});

test('simulations and resets by API keys are not in the audit log', async () => {
  const organization = await service.organization();
  const earlier = await eventsOf(service, organization.organizationId);
  const { sandbox } = organization;
  const pending = (await sandbox.order([emailGift('someone')])).body.gifts[0].gift_id;
  for (const step of ['deliver', 'open', 'claim', 'spend'])
    assert.equal((await sandbox.post(`/v1/sandbox/gifts/${pending}/${step}`)).status, 200);
  assert.equal((await sandbox.post('/v1/sandbox/reset')).status, 200);
  assert.deepEqual(await eventsOf(service, organization.organizationId), earlier);
});

test('redirects, new links and cancellations name the API key and its address', async () => {
  const organization = await service.organization();
  const { sandbox } = organization;
  const bounced = (await sandbox.order([emailGift('bounced')])).body.gifts[0].gift_id;
  const path = `/v1/gifts/${bounced}`;
  const [key] = await service.sql<{ key_id: string }>(
    `select key_id from api_keys where organization_id = $1 and environment = 'sandbox'`,
    [organization.organizationUuid],
  );
  const name = `the API key ${encodeId('key', key?.key_id ?? '')}`;
  const actor = { kind: 'key', member_id: null, name, address: '127.0.0.1' };
  for (const [sentence, act] of [
    [
      'Sent a gift to a•••@e•••.com',
      () => sandbox.put(`${path}/delivery`, { method: 'email', email: 'ada@example.com' }),
    ],
    ['Replaced the link of a gift', () => sandbox.post(`${path}/link`)],
    ['Sent a gift again to its address', () => sandbox.post(`${path}/resend`)],
    ['Canceled a gift: 25.00 USD returned to the balance', () => sandbox.post(`${path}/cancel`)],
  ] as const) {
    assert.equal((await act()).status, 200);
    await service.clock.advance(1000);
    const [event] = await eventsOf(service, organization.organizationId);
    assert.deepEqual([event?.sentence, event?.target, event?.actor], [sentence, bounced, actor]);
  }
});

test('a simulation is recorded only if it changes the gift', async () => {
  const organization = await service.organization();
  const ordered = (await organization.sandbox.order([emailGift('someone')])).body.gifts[0].gift_id;
  const simulate = (simulation: Simulation) =>
    again(() =>
      simulateGift(service.service.deps, {
        caller: admitted({ organizationId: organization.organizationUuid, environment: 'sandbox' }),
        giftId: decodeId('gift', ordered) ?? '',
        simulation,
        actor: memberOf(organization),
      }),
    );
  await simulate('spend');
  for (const step of ['fail', 'deliver', 'open', 'claim', 'spend'] as const)
    for (let time = 0; time < 2; time += 1) await simulate(step);
  const sentences = (await eventsOf(service, organization.organizationId, { action: 'gift.simulated' })).map(
    ({ sentence, target }) => [sentence, target],
  );
  assert.deepEqual(
    sentences,
    ['spent', 'claimed', 'opened', 'delivered', 'not delivered'].map((end) => [
      `Simulated that a gift was ${end}`,
      ordered,
    ]),
  );
});

test('the database refuses to update, delete or truncate the log', async () => {
  await service.organization();
  const before = await service.sql('select * from audit_events order by event_id');
  assert.ok(before.length > 0);
  for (const change of [
    `update audit_events set actor_name = 'x'`,
    'delete from audit_events',
    'delete from audit_events where false',
    'truncate audit_events',
    'truncate organizations cascade',
  ])
    await assert.rejects(service.sql(change), { code: '42501' }, change);
  assert.deepEqual(await service.sql('select * from audit_events order by event_id'), before);
});

test('deleting a sandbox keeps its events', async () => {
  const { organization, prepared } = await prepare('sandbox.deleted');
  const earlier = await eventsOf(service, organization.organizationId);
  await auditedActs['sandbox.deleted'].act(service.service.deps, organization, OPERATOR, prepared);
  assert.deepEqual((await eventsOf(service, organization.organizationId)).slice(1), earlier);
});

test('the log contains no key and no full address of a recipient', async () => {
  const organization = await service.organization();
  const { deps } = service.service;
  for (const name of ['key.created', 'key.imported', 'gift.redirected'] as const) {
    const { prepare: first, act } = auditedActs[name];
    await act(deps, organization, OPERATOR, (await first?.(deps, organization)) ?? '');
  }
  const [log] = await service.sql<{ text: string }>(
    `select string_agg(t::text, '\n') as text from audit_events t where organization_id = $1`,
    [organization.organizationUuid],
  );
  assert.match(log?.text ?? '', /g•••@h•••\.example/);
  assert.doesNotMatch(log?.text ?? '', /bestow-(?:agent-)?(?:sandbox-)?[0-9A-Za-z]{8,}|sk_\w|grace|hopper/);
});
