import { foldAddress } from '../../platform/database/folding.ts';
import { statement } from '../../platform/database/statement.ts';

export interface OperatorRow {
  operator_id: string;
  email: string;
  added_by: string;
  created_at: Date;
}

/** Returns no row if the person is an operator already. */
export const insertOperator = statement<
  [operatorId: string, email: string, addedBy: string, createdAt: Date],
  OperatorRow
>(
  'operators.insert',
  `insert into portal.operators (operator_id, email, added_by, created_at) values ($1, ${foldAddress('$2')}, $3, $4)
   on conflict (email) where removed_at is null do nothing
   returning operator_id, email, added_by, created_at`,
);

/** Also ends the sessions, because each request looks the operator up. Returns no row if the person is no operator. */
export const removeOperator = statement<[email: string, removedAt: Date], OperatorRow>(
  'operators.remove',
  `update portal.operators set removed_at = $2 where email = ${foldAddress('$1')} and removed_at is null
   returning operator_id, email, added_by, created_at`,
);

export const selectOperators = statement<
  [],
  OperatorRow & { last_session_at: Date | null; has_second_factor: boolean }
>(
  'operators.list',
  `select o.operator_id, o.email, o.added_by, o.created_at,
     (select max(s.created_at) from portal.operator_sessions s where s.operator_id = o.operator_id) as last_session_at,
     exists (
       select from portal.users u where u.email = o.email
         and (u.two_factor_enabled or exists (select from portal.passkeys p where p.user_id = u.id))) as has_second_factor
   from portal.operators o where o.removed_at is null order by o.operator_id`,
);

/** Whether there was ever an operator, whether there is one, and whether the person is one. */
export const selectIsOperator = statement<
  [email: string | null],
  { had_any: boolean; has_any: boolean; is_one: boolean }
>(
  'operators.select_is_one',
  `select exists (select from portal.operators) as had_any,
     exists (select from portal.operators where removed_at is null) as has_any,
     exists (select from portal.operators where removed_at is null and email = ${foldAddress('$1')}) as is_one`,
);

interface OperatorSessionRow {
  email: string;
  proved_at: Date;
  expires_at: Date;
}

/** Replaces the browser's earlier session. Returns no row if the person is no operator. */
export const insertOperatorSession = statement<
  [
    tokenHash: Buffer,
    earlierHash: Buffer | null,
    email: string,
    userId: string,
    address: string,
    provedAt: Date,
    createdAt: Date,
    expiresAt: Date,
  ],
  OperatorSessionRow
>(
  'operator_sessions.insert',
  `with replaced as (delete from portal.operator_sessions where token_hash = $2),
   begun as (
     insert into portal.operator_sessions (token_hash, operator_id, user_id, address, proved_at, created_at, expires_at)
     select $1, o.operator_id, $4, $5, $6, $7, $8 from portal.operators o
     where o.email = ${foldAddress('$3')} and o.removed_at is null
     returning operator_id, proved_at, expires_at)
   select o.email, b.proved_at, b.expires_at from begun b join portal.operators o using (operator_id)`,
);

export const selectOperatorSession = statement<[tokenHash: Buffer, now: Date], OperatorSessionRow>(
  'operator_sessions.select',
  `select o.email, s.proved_at, s.expires_at
   from portal.operator_sessions s join portal.operators o using (operator_id)
   where s.token_hash = $1 and s.expires_at > $2 and o.removed_at is null`,
);

export const deleteOperatorSession = statement<[tokenHash: Buffer]>(
  'operator_sessions.delete',
  'delete from portal.operator_sessions where token_hash = $1',
);

/** Reads the whole table, which has a row for each session of the last days. */
export const deleteOldOperatorSessions = statement<[expiredBefore: Date]>(
  'operator_sessions.delete_before',
  'delete from portal.operator_sessions where expires_at < $1',
);

interface OperatorEventRow {
  event_id: string;
  operator: string;
  action: string;
  details: Record<string, string>;
  reason: string | null;
  address: string;
  created_at: Date;
}

export const insertOperatorEvent = statement<
  [
    eventId: string,
    operator: string,
    action: string,
    details: string,
    reason: string | null,
    address: string,
    createdAt: Date,
  ]
>(
  'operator_events.insert',
  `insert into portal.operator_events (event_id, operator, action, details, reason, address, created_at)
   values ($1, $2, $3, $4, $5, $6, $7)`,
);

/** Newest first. */
export const selectOperatorEvents = statement<[before: string | null, limit: number], OperatorEventRow>(
  'operator_events.list',
  `select event_id, operator, action, details, reason, address, created_at from portal.operator_events
   where event_id < coalesce($1, 'ffffffff-ffff-ffff-ffff-ffffffffffff'::uuid) order by event_id desc limit $2`,
);

export const selectLatestOperatorEvent = statement<[action: string], OperatorEventRow>(
  'operator_events.select_latest',
  `select event_id, operator, action, details, reason, address, created_at from portal.operator_events
   where action = $1 order by event_id desc limit 1`,
);
