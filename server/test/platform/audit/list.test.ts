import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { EventFilters, PresentedEvent } from '../../../src/platform/audit/list-events.ts';
import type { Actor } from '../../../src/platform/base/actor.ts';
import type { PageRequest } from '../../../src/platform/paging/read-page.ts';
import { type Action, listAuditEvents } from '../../../src/surfaces/audit-log.ts';
import { eventsOf, memberOf } from '../../harness/audit-log.ts';
import { auditedActs } from '../../harness/audited-acts.ts';
import { openForFile } from '../../harness/open-for-file.ts';
import { OPERATOR } from '../../harness/operator.ts';
import { assertCursorRefused, assertPages, impossibleCursors } from '../../harness/portal-reads.ts';
import { startTestService, type TestOrganization } from '../../harness/test-service.ts';

const service = openForFile(() => startTestService());

/** Creates events a second apart, of two actors and both environments; newest first. */
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

test('filters by environment, action, actor and time, also combined', async () => {
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

test('pages contain every event once, in both directions', async () => {
  const organization = await service.organization();
  const all = await historyOf(organization);
  const organizationId = organization.organizationUuid;
  await assertPages((page) => listAuditEvents(service.service.deps, { organizationId, page }), all, 'all');
});

test('hides other organizations’ events and refuses their ids as cursors', async () => {
  const [mine, other] = await Promise.all([service.organization(), service.organization()]);
  const [foreign] = await eventsOf(service, other.organizationId);
  const ids = new Set((await eventsOf(service, mine.organizationId)).map(({ event_id }) => event_id));
  assert.ok(foreign && !ids.has(foreign.event_id));
  const readPage = (page: PageRequest) =>
    listAuditEvents(service.service.deps, { organizationId: mine.organizationUuid, page });
  for (const cursor of [foreign.event_id, ...impossibleCursors('evt', mine.organizationUuid)])
    await assertCursorRefused(readPage, cursor);
});
