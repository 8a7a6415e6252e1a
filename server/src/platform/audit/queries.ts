import type { Environment } from '../base/environment.ts';
import { foldText } from '../database/folding.ts';
import { statement } from '../database/statement.ts';
import { insertAuditEvents } from './statement-parts.ts';

export interface EventRow {
  event_id: string;
  environment: Environment | null;
  action: string;
  actor_kind: 'member' | 'operator' | 'key' | 'recipient';
  actor_member_id: string | null;
  actor_name: string;
  actor_address: string;
  target: string | null;
  details: unknown;
  created_at: Date;
}

const columns = `event_id, environment, action, actor_kind, actor_member_id, actor_name, actor_address, target, details,
  created_at`;

export const insertEvent = statement<
  [
    organizationId: string,
    eventId: string,
    environment: Environment | null,
    action: string,
    actorKind: 'member' | 'operator' | 'key' | 'recipient',
    actorMemberId: string | null,
    actorName: string,
    actorAddress: string,
    target: string | null,
    details: string,
    createdAt: Date,
  ]
>('audit_events.insert', insertAuditEvents('values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)'));

export const selectEventExists = statement<[organizationId: string, eventId: string], { event_id: string }>(
  'audit_events.exists',
  'select event_id from audit_events where organization_id = $1 and event_id = $2',
);

type Filtered = [
  organizationId: string,
  eventId: string,
  limit: number,
  environment: Environment | null,
  action: string | null,
  actor: string | null,
  since: Date | null,
  until: Date | null,
];

/** A null disables its filter. Changes to the whole organization belong to both environments. */
const filter = `($4::environment is null or environment is null or environment = $4)
     and ($5::text is null or action = $5)
     and ($6::text is null or strpos(${foldText('actor_name')}, ${foldText('$6')}) > 0)
     and ($7::timestamptz is null or created_at >= $7) and ($8::timestamptz is null or created_at < $8)`;

export const selectLastActor = statement<[organizationId: string, action: string], Pick<EventRow, 'actor_kind'>>(
  'audit_events.select_last_actor',
  `select actor_kind from audit_events where organization_id = $1 and action = $2 order by event_id desc limit 1`,
);

/** Events before the given one, newest first. */
export const selectEventsDescending = statement<Filtered, EventRow>(
  'audit_events.list_descending',
  `select ${columns} from audit_events
   where organization_id = $1 and event_id < $2
     and ${filter}
   order by event_id desc limit $3`,
);

/** Events after the given one, oldest first. */
export const selectEventsAscending = statement<Filtered, EventRow>(
  'audit_events.list_ascending',
  `select ${columns} from audit_events
   where organization_id = $1 and event_id > $2
     and ${filter}
   order by event_id limit $3`,
);
