import type { Environment } from '../../platform/base/environment.ts';
import { statement, statementOfNone, statementOnEachShard } from '../../platform/database/statement.ts';
import { appendEvents } from '../../platform/events/append-events.ts';
import { insertRestores, setEventCounters } from '../../platform/events/statement-parts.ts';

type Stream = [organizationId: string, environment: Environment];

/** Locks an organization, so that two runs of the command do not move it on at once. */
export const lockOrganization = statement<[organizationId: string], { organization_id: string }>(
  'restores.lock_organization',
  'select organization_id from organizations where organization_id = $1 for no key update',
);

/** Returns a row for each environment if this restore was noted before. */
export const selectRestore = statement<[organizationId: string, restoredTo: Date], { environment: Environment }>(
  'restores.select',
  'select environment from restores where organization_id = $1 and restored_to = $2',
);

/**
 * Moves the feed of an environment on past every sequence that can have been given out, and notes it. Nothing that locks a row may follow in the transaction.
 */
export const moveOn = statement<
  [...Stream, restoredTo: Date, now: Date, nextAfter: number, ledgerId: string],
  { last_sequence: number; events_since: number }
>(
  'restores.move_on',
  `with counter as materialized (
     select coalesce((
       select last_sequence from event_counters where organization_id = $1 and environment = $2 for no key update
     ), 0) as last_sequence
   ), restore as (
     ${insertRestores(`select $1, $2, $3, $4, last_sequence, greatest($5, last_sequence + 1), coalesce((
         select s.rows from seals s
         where s.organization_id = $1 and s.chain = $2::text::seal_chain order by s.number desc limit 1
       ), 0), $6
     from counter`)}
     returning last_sequence, next_after
   ), moved as (
     ${setEventCounters('select $1, $2, next_after from restore')}
   )
   select last_sequence, (
     select count(*)::integer from events
     where organization_id = $1 and environment = $2 and created_at > $3
   ) as events_since
   from restore`,
);

/** The first event of the feed that goes on. */
export const appendRestored = statement<[...Stream, now: Date, data: string]>(
  'restores.append_event',
  `with ${appendEvents(`select $1::uuid as organization_id, $2::environment as environment, 'database.restored' as type,
       null::uuid as order_id, null::uuid as gift_id, $4::jsonb as data, $3::timestamptz as created_at, 0 as position`)}
   select from event_counter where organization_id = $1`,
);

/** Gifts whose cards an issuer has, and whether a claim has the card. */
export const selectCardOwners = statement<
  [organizationId: string, issuerId: string, giftIds: readonly string[]],
  { gift_id: string; provider_id: string | null; is_claimed: boolean; is_canceled: boolean }
>(
  'restores.list_card_owners',
  `select g.gift_id, case when k.issuer_id = $2 then k.provider_id end as provider_id,
     g.claimed_at is not null as is_claimed, g.canceled_at is not null as is_canceled
   from gifts g left join cards k using (organization_id, environment, gift_id)
   where g.organization_id = $1 and g.environment = 'live' and g.gift_id = any ($3::uuid[])`,
);

export interface IssuerToAsk {
  organization_id: string;
  issuer_id: string;
  kind: string;
  settings: string;
}

/** Issuers that may have made cards since; also those that were removed. */
export const selectIssuers = statementOnEachShard<[], IssuerToAsk>(
  'restores.list_issuers',
  'the operator asks the issuers of every organization',
  'select organization_id, issuer_id, kind, settings from issuers order by organization_id, issuer_id',
);

/** Which database it is, and how far its events have come, together. */
export const selectPosition = statementOnEachShard<[], { database: string; events: string }>(
  'restores.select_position',
  'a start compares the whole database with what it remembers',
  `select (select applied_at::text from schema_migrations order by name limit 1) as database,
     (select coalesce(sum(last_sequence), 0)::text from event_counters) as events`,
);

/** Codes that wait since a restore. */
export const countCodesSetAside = statementOnEachShard<[], { codes: number }>(
  'restores.count_codes_set_aside',
  'doctor looks at every organization',
  'select count(*)::integer as codes from shop_codes where set_aside_at is not null and gift_id is null',
);

/** A failover that lost commits, or a server that went back. */
export interface LostHistory {
  system: string;
  timeline: number;
  begins_at: number;
  kept_until: Date;
  /** Null while the service makes it safe to go on. */
  moved_on_at: Date | null;
  /** Events made since `kept_until` and before that. */
  events_since: number | null;
}

/** When the newest event was made. */
export const selectNewestEvent = statementOnEachShard<[], { created_at: Date }>(
  'restores.select_newest_event',
  'the whole server went back',
  `select e.created_at
   from event_counters c cross join lateral (
     select created_at from events
     where organization_id = c.organization_id and environment = c.environment order by sequence desc limit 1
   ) e
   order by e.created_at desc limit 1`,
);

/**
 * Notes a loss once, however many processes notice it. That a server went back is noticed at different positions of its log,
 * but within minutes.
 */
export const noteLoss = statementOfNone<
  [system: string, timeline: number, beginsAt: number, keptUntil: Date, now: Date, isRewound: boolean],
  LostHistory
>(
  'restores.note_loss',
  `with known as (
     select system, timeline, begins_at, kept_until, moved_on_at, events_since from lost_histories
     where system = $1 and timeline = $2
       and (begins_at = $3 or ($6::boolean and noticed_at > $5::timestamptz - interval '10 minutes'))
   ), noted as (
     insert into lost_histories (system, timeline, begins_at, kept_until, noticed_at)
     select $1, $2, $3, $4, $5 where not exists (select from known)
     on conflict do nothing
     returning system, timeline, begins_at, kept_until, moved_on_at, events_since
   )
   select system, timeline, begins_at, kept_until, moved_on_at, events_since from known
   union all select system, timeline, begins_at, kept_until, moved_on_at, events_since from noted
   limit 1`,
);

export const noteMovedOn = statementOfNone<
  [system: string, timeline: number, beginsAt: number, now: Date, eventsSince: number]
>(
  'restores.note_moved_on',
  `update lost_histories set moved_on_at = $4, events_since = $5
   where system = $1 and timeline = $2 and begins_at = $3 and moved_on_at is null`,
);

/** Losses after which a person has not finished the rest of the work. */
export const selectLosses = statementOnEachShard<[], LostHistory>(
  'restores.list_losses',
  'a server has all organizations',
  `select system, timeline, begins_at, kept_until, moved_on_at, events_since from lost_histories
   where finished_at is null order by kept_until`,
);

export const finishLosses = statementOnEachShard<[now: Date]>(
  'restores.finish_losses',
  'a server has all organizations',
  'update lost_histories set finished_at = $1 where finished_at is null and moved_on_at is not null',
);
