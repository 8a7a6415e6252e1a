import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { Action } from '../src/audit/actions.ts';
import { type EventFilters, listEvents, type PresentedEvent } from '../src/audit/list-events.ts';
import type { Actor } from '../src/base/actor.ts';
import { encodeId } from '../src/base/ids.ts';
import type { PageRequest } from '../src/http/paginate.ts';
import { eventsOf, memberOf } from './harness/audit-log.ts';
import { auditedActs } from './harness/audited-acts.ts';
import { OPERATOR } from './harness/operator.ts';
import { startTestService, type TestOrganization, type TestService } from './harness/test-service.ts';

// What is shown of the audit log, to whom, and in which order.

let service: TestService;
before(async () => {
  service = await startTestService();
});
after(() => service.close());

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
  return await eventsOf(service, organization.organizationId);
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
      await eventsOf(service, organization.organizationId, filters),
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
  const [foreign] = await eventsOf(service, other.organizationId);
  const ids = new Set((await eventsOf(service, mine.organizationId)).map(({ event_id }) => event_id));
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
