import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { type Action, actions } from '../src/audit/actions.ts';
import { type EventFilters, listEvents, type PresentedEvent } from '../src/audit/list-events.ts';
import type { Actor } from '../src/base/actor.ts';
import { decodeId, encodeId } from '../src/base/ids.ts';
import { OperatorError } from '../src/base/operator-error.ts';
import { BestowError } from '../src/errors.ts';
import type { PageRequest } from '../src/http/paginate.ts';
import { type Simulation, simulateGift } from '../src/sandbox/simulate-gift.ts';
import { emailGift } from './harness/api-client.ts';
import { auditedActs } from './harness/audited-acts.ts';
import { OPERATOR } from './harness/operator.ts';
import { startTestService, type TestOrganization, type TestService } from './harness/test-service.ts';

// Who did what, when and from where, for every change by the portal and by the operator's command.

let service: TestService;
before(async () => {
  service = await startTestService();
});
after(() => service.close());

const firstPage: PageRequest = { limit: 100, direction: 'older', cursor: undefined };

async function eventsOf(organizationId: string, filters: EventFilters = {}): Promise<PresentedEvent[]> {
  return (await listEvents(service.service.deps, { organizationId, page: firstPage, filters })).rows;
}

const memberOf = ({ memberId }: TestOrganization): Actor => ({
  kind: 'member',
  memberId: decodeId('mem', memberId) ?? '',
  email: 'admin@example.com',
  address: '203.0.113.7',
});

/** What is shown of who it was. */
const shown = (actor: Actor) =>
  actor.kind === 'member'
    ? { kind: 'member', member_id: encodeId('mem', actor.memberId), name: actor.email, address: actor.address }
    : { kind: 'operator', member_id: null, name: 'the operator (tester)', address: 'test.host' };

/** An organization of the case's own, with what the act needs. */
async function prepare(name: Action) {
  const organization = await service.organization();
  const { prepare: first } = auditedActs[name];
  const prepared = (await first?.(service.service.deps, organization)) ?? '';
  return { organization, prepared };
}

/** An act that is repeated may say that there is nothing to do. */
async function again(act: () => Promise<unknown>): Promise<void> {
  try {
    await act();
  } catch (error) {
    if (!(error instanceof OperatorError || error instanceof BestowError)) throw error;
  }
}

for (const name of actions.filter((action) => action !== 'organization.created'))
  for (const kind of ['member', 'operator'] as const)
    test(`${name} by ${kind === 'member' ? 'a member' : 'the operator'} is recorded once, with who and from where`, async () => {
      const { deps } = service.service;
      const { organization, prepared } = await prepare(name);
      const { act, target, environment, sentence, isRepeatable = false } = auditedActs[name];
      const actor = kind === 'member' ? memberOf(organization) : OPERATOR;
      const earlier = await eventsOf(organization.organizationId);
      await act(deps, organization, actor, prepared);
      const [event, ...rest] = await eventsOf(organization.organizationId);
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
        actor: shown(actor),
        created_at: new Date(service.clock.now()),
      };
      assert.deepEqual(event, { event_id: event.event_id, target: event.target, ...expected });

      await again(() => act(deps, organization, actor, prepared));
      const repeated = (await eventsOf(organization.organizationId)).length - earlier.length - 1;
      assert.equal(repeated, isRepeatable ? 1 : 0);
    });

test('the creation of an organization is the first event of its log', async () => {
  const { act, sentence } = auditedActs['organization.created'];
  const { organization, prepared } = await prepare('organization.created');
  const created = (await act(service.service.deps, organization, OPERATOR, prepared)) as { organization_id: string };
  const [event, ...rest] = await eventsOf(created.organization_id);
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

/** Every row of every table about an organization, but for what the background does with notices. */
async function everything(): Promise<Record<string, unknown[]>> {
  const tables = await service.sql<{ name: string }>(
    `select table_name as name from information_schema.columns
     where table_schema = 'public' and column_name = 'organization_id' order by table_name`,
  );
  assert.ok(tables.length > 10, `${tables.length} tables`);
  const rows: Record<string, unknown[]> = {};
  for (const { name } of tables) {
    const shape = name === 'notices' ? 't.notice_id::text' : 't::text';
    rows[name] = await service.sql(`select ${shape} as row from ${name} t order by ${shape} collate "C"`);
  }
  return rows;
}

test('what cannot be recorded is not done: nothing has changed where the log refuses the event', async () => {
  for (const name of actions) {
    const { organization, prepared } = await prepare(name);
    const before = await everything();
    await service.sql('alter table audit_events add constraint full_up check (false) not valid');
    try {
      await assert.rejects(
        auditedActs[name].act(service.service.deps, organization, memberOf(organization), prepared),
        { code: '23514', constraint: 'full_up' },
        name,
      );
    } finally {
      await service.sql('alter table audit_events drop constraint full_up');
    }
    assert.deepEqual(await everything(), before, name);
  }
});

test('what an API key does is not in the audit log', async () => {
  const organization = await service.organization();
  const earlier = await eventsOf(organization.organizationId);
  const { sandbox } = organization;
  const { body } = await sandbox.order([emailGift('bounced'), emailGift('someone')]);
  const [failed, pending] = body.gifts.map(({ gift_id }: { gift_id: string }) => gift_id);
  const redirected = await sandbox.put(`/v1/gifts/${failed}/delivery`, { method: 'email', email: 'ada@example.com' });
  assert.equal(redirected.status, 200);
  for (const step of ['deliver', 'open', 'claim', 'spend'])
    assert.equal((await sandbox.post(`/v1/sandbox/gifts/${pending}/${step}`)).status, 200);
  assert.equal((await sandbox.post('/v1/sandbox/reset')).status, 200);
  assert.deepEqual(await eventsOf(organization.organizationId), earlier);
});

test('each of the five simulations is recorded where it changes the gift, and only then', async () => {
  const organization = await service.organization();
  const ordered = (await organization.sandbox.order([emailGift('someone')])).body.gifts[0].gift_id;
  const simulate = (simulation: Simulation) =>
    again(() =>
      simulateGift(service.service.deps, {
        organizationId: organization.organizationUuid,
        giftId: decodeId('gift', ordered) ?? '',
        simulation,
        actor: memberOf(organization),
      }),
    );
  const steps: Simulation[] = [
    'spend',
    'fail',
    'fail',
    'deliver',
    'deliver',
    'open',
    'open',
    'claim',
    'claim',
    'spend',
    'spend',
  ];
  for (const step of steps) await simulate(step);
  const sentences = (await eventsOf(organization.organizationId, { action: 'gift.simulated' })).map(
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

test('a live gift cannot be simulated', async () => {
  const organization = await service.organization();
  const { body } = await organization.live.order([{ amount: 2500, category: 'coffee', delivery: { method: 'link' } }]);
  await assert.rejects(
    simulateGift(service.service.deps, {
      organizationId: organization.organizationUuid,
      giftId: decodeId('gift', body.gifts[0].gift_id) ?? '',
      simulation: 'claim',
      actor: memberOf(organization),
    }),
    { code: 'resource_missing' },
  );
});

test('the log can only be added to: the database refuses to update, delete or truncate it', async () => {
  await service.organization();
  const before = await service.sql('select * from audit_events order by event_id');
  assert.ok(before.length > 0);
  for (const change of [
    `update audit_events set actor_name = 'nobody'`,
    'delete from audit_events',
    'delete from audit_events where false',
    'truncate audit_events',
    'truncate organizations cascade',
  ])
    await assert.rejects(service.sql(change), /The audit log is append-only\./, change);
  assert.deepEqual(await service.sql('select * from audit_events order by event_id'), before);
});

test('the log outlives the sandbox that it speaks of', async () => {
  const { organization, prepared } = await prepare('sandbox.deleted');
  const earlier = await eventsOf(organization.organizationId);
  await auditedActs['sandbox.deleted'].act(service.service.deps, organization, OPERATOR, prepared);
  assert.deepEqual((await eventsOf(organization.organizationId)).slice(1), earlier);
});

test('the log holds no key and no whole address of a recipient', async () => {
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
  assert.doesNotMatch(log?.text ?? '', /bestow-(?:sandbox-)?[0-9A-Za-z]{8,}|sk_\w|grace|hopper/);
});

/** Events a second apart, of two people and both environments; the newest first. */
async function historyOf(organization: TestOrganization): Promise<PresentedEvent[]> {
  const { deps } = service.service;
  const acts: [Action, Actor][] = [
    ['key.created', memberOf(organization)],
    ['balance.adjusted', OPERATOR],
    ['key.created', OPERATOR],
    ['organization.suspended', memberOf(organization)],
  ];
  for (const [name, actor] of acts) {
    await service.clock.advance(1_000);
    await auditedActs[name].act(deps, organization, actor, '');
  }
  return await eventsOf(organization.organizationId);
}

test('the list is filtered by environment, action, actor and time, and by all of them together', async () => {
  const organization = await service.organization();
  const all = await historyOf(organization);
  const [suspended, byOperator, adjusted, byMember] = all;
  assert.ok(suspended && byOperator && adjusted && byMember);
  const since = adjusted.created_at;
  const until = suspended.created_at;
  const cases: [EventFilters, (event: PresentedEvent) => boolean][] = [
    [{}, () => true],
    [{ environment: 'live' }, ({ environment }) => environment !== 'sandbox'],
    [{ environment: 'sandbox' }, ({ environment }) => environment !== 'live'],
    [{ action: 'key.created' }, ({ action }) => action === 'key.created'],
    [{ action: 'gift.redirected' }, () => false],
    [{ actor: 'ADMIN@' }, ({ actor }) => actor.kind === 'member'],
    [{ actor: 'operator' }, ({ actor }) => actor.kind === 'operator'],
    [{ actor: '%' }, () => false],
    [{ since }, (event) => [suspended, byOperator, adjusted].includes(event)],
    [{ until }, (event) => event !== suspended],
    [{ since, until, action: 'key.created', actor: 'tester', environment: 'live' }, (event) => event === byOperator],
  ];
  for (const [filters, matches] of cases)
    assert.deepEqual(
      await eventsOf(organization.organizationId, filters),
      all.filter(matches),
      JSON.stringify(filters),
    );
});

test('the pages of the list hold every event once, in both directions', async () => {
  const organization = await service.organization();
  const all = await historyOf(organization);
  const { organizationId } = organization;
  const walk = async (direction: PageRequest['direction'], from: string | undefined) => {
    const seen: PresentedEvent[] = [];
    for (let cursor = from, hasMore = true; hasMore; ) {
      const page = await listEvents(service.service.deps, { organizationId, page: { limit: 2, direction, cursor } });
      assert.ok(page.rows.length <= 2);
      if (direction === 'older') seen.push(...page.rows);
      else seen.unshift(...page.rows);
      cursor = page.rows.at(direction === 'older' ? -1 : 0)?.event_id;
      hasMore = page.hasMore;
    }
    return seen;
  };
  assert.deepEqual(await walk('older', undefined), all);
  assert.deepEqual(await walk('newer', all.at(-1)?.event_id), all.slice(0, -1));
});

test('nothing of another organization’s log is shown, and its events are no cursors', async () => {
  const [mine, other] = await Promise.all([service.organization(), service.organization()]);
  const [foreign] = await eventsOf(other.organizationId);
  const ids = new Set((await eventsOf(mine.organizationId)).map(({ event_id }) => event_id));
  assert.ok(foreign && !ids.has(foreign.event_id));
  for (const cursor of [foreign.event_id, encodeId('evt', mine.organizationUuid), 'evt_x'])
    await assert.rejects(
      listEvents(service.service.deps, {
        organizationId: mine.organizationId,
        page: { limit: 10, direction: 'older', cursor },
      }),
      { code: 'cursor_invalid' },
    );
});
