import type { Environment } from '../base/environment.ts';
import { encodeId } from '../base/ids.ts';
import type { PlatformDeps } from '../deps.ts';
import { type PageRequest, readSearchPage, type SearchPage } from '../paging/read-page.ts';
import { type AuditedActions, describeAction, withoutReason } from './describe-action.ts';
import * as queries from './queries.ts';

export interface PresentedEvent {
  event_id: string;
  /** Null for changes to the whole organization. */
  environment: Environment | null;
  action: string;
  /** Shown after the actor's name: `Created the key “Web shop”`. */
  sentence: string;
  /** The id of the changed object, such as `key_…`. */
  target: string | null;
  /** `member_id` is null for the operator and for keys; `address` is an IP address or the operator's host. */
  actor: { kind: 'member' | 'operator' | 'key' | 'recipient'; member_id: string | null; name: string; address: string };
  created_at: Date;
}

/** The audit log filters by time with `since` and `until`. */
type EventPage = Omit<PageRequest, 'from' | 'to'>;

export interface EventFilters {
  /** Includes changes to the whole organization. */
  environment?: Environment | undefined;
  action?: string | undefined;
  /** Part of the actor's name, without case: `ada@`, `operator`. */
  actor?: string | undefined;
  /** Inclusive. */
  since?: Date | undefined;
  /** Exclusive. */
  until?: Date | undefined;
}

/**
 * Lists a page of an organization’s audit log, newest first.
 *
 * @param actions of every folder
 * @param input `organizationId` is a UUID; cursors are `evt_…` ids; without `seesPeople`, reasons that people wrote are left out
 * @throws BestowError `cursor_invalid`
 */
export async function listEvents(
  deps: Pick<PlatformDeps, 'database' | 'config'>,
  actions: AuditedActions,
  {
    organizationId,
    page,
    filters = {},
    seesPeople = true,
  }: { organizationId: string; page: EventPage; filters?: EventFilters; seesPeople?: boolean },
): Promise<SearchPage<PresentedEvent>> {
  const { environment = null, action = null, actor = null, since = null, until = null } = filters;
  const { pool } = deps.database;
  const chosen = [environment, action, actor, since, until] as const;
  const found = await readSearchPage<queries.EventRow>(page, {
    prefix: 'evt',
    idOf: ({ event_id }) => event_id,
    exists: (id) => queries.selectEventExists(pool, [organizationId, id]),
    read: (direction, { above, below }, limit) =>
      direction === 'descending'
        ? queries.selectEventsDescending(pool, [organizationId, below, limit, ...chosen])
        : queries.selectEventsAscending(pool, [organizationId, above, limit, ...chosen]),
  });
  return { ...found, rows: found.rows.map((row) => presentEvent(actions, row, deps.config.currency, seesPeople)) };
}

function presentEvent(
  actions: AuditedActions,
  row: queries.EventRow,
  currency: string,
  seesPeople: boolean,
): PresentedEvent {
  const details = seesPeople ? row.details : withoutReason(actions, row.action, row.details);
  return {
    event_id: encodeId('evt', row.event_id),
    environment: row.environment,
    action: row.action,
    sentence: describeAction(actions, row.action, details, currency),
    target: row.target,
    actor: {
      kind: row.actor_kind,
      member_id: row.actor_member_id === null ? null : encodeId('mem', row.actor_member_id),
      name: row.actor_name,
      address: row.actor_address,
    },
    created_at: row.created_at,
  };
}
