import { foldAddress } from '../../../platform/database/folding.ts';
import { statement } from '../../../platform/database/statement.ts';
import type { PersonEvent, SignInChange } from './person-event.ts';

/** Returns a row to one of several concurrent requests with the same code. */
export const claimStep = statement<[authenticatorId: string, step: number], { id: string }>(
  'authenticators.claim_step',
  `update portal.two_factors set last_used_step = $2
   where id = $1 and (last_used_step is null or last_used_step < $2)
   returning id`,
);

/**
 * Uses PostgreSQL's time, because the library writes the real time. Reads the whole table, which has a row for each
 * sign-in of the last days.
 */
export const deleteExpiredSessions = statement<[limit: number]>(
  'sessions.delete_expired',
  `delete from portal.sessions
   where id in (select id from portal.sessions where expires_at < now() - interval '1 day' limit $1)`,
);

/** What the change `change` of the person `u` changes, as a text to compare. */
const state = (change: string) => `case when ${change} like 'passkey%'
     then (select coalesce(string_agg(p.id::text, ' ' order by p.id), '') from portal.passkeys p where p.user_id = u.id)
     else coalesce(u.two_factor_enabled, false)::text end`;

/** Writes down that a session has proved its second factor again. */
export const markProved = statement<[sessionId: string, now: Date]>(
  'sessions.mark_proved',
  'update portal.sessions set proved_at = $2, has_second_factor = true where id = $1',
);

/** Ends the session that a new sign-in of the same browser replaces. */
export const deleteReplacedSession = statement<[sessionId: string]>(
  'sessions.delete_replaced',
  'delete from portal.sessions where id = $1',
);

type NewChange = [changeId: string, userId: string, change: string, address: string, now: Date];

/** Writes down that a change is about to be made. */
export const insertChange = statement<NewChange>(
  'sign_in_changes.insert',
  `insert into portal.changes (change_id, user_id, email, change, address, state_before, created_at)
   select $1, u.id, u.email, $3, $4, ${state('$3')}, $5 from portal.users u where u.id = $2`,
);

/** Ends one of the person's sessions and writes the change down, unless it is the session of the call, a sign-out. */
export const deleteSession = statement<[...NewChange, sessionId: string, ownSessionId: string]>(
  'sessions.delete',
  `with ended as (delete from portal.sessions where user_id = $2 and id::text = $6 returning id)
   insert into portal.changes (change_id, user_id, email, change, address, created_at)
   select $1, u.id, u.email, $3, $4, $5 from ended, portal.users u where u.id = $2 and ended.id <> $7`,
);

export interface SignInChangeRow {
  change_id: string;
  email: string;
  change: SignInChange;
  address: string;
  created_at: Date;
  is_made: boolean;
}

const selectChange = (where: string) =>
  `select c.change_id, c.email, c.change, c.address, c.created_at,
     c.state_before is null or c.state_before <> ${state('c.change')} as is_made
   from portal.changes c left join portal.users u on u.id = c.user_id
   where ${where}`;

export const selectOneChange = statement<[changeId: string], SignInChangeRow>(
  'sign_in_changes.select',
  selectChange('c.change_id = $1'),
);

export const selectUnfinishedChanges = statement<[createdBefore: Date, limit: number], SignInChangeRow>(
  'sign_in_changes.list_unfinished',
  selectChange('c.created_at < $1 order by c.change_id limit $2'),
);

/** Moves a change to the person's log if it was made. */
export const finishChange = statement<[changeId: string, isMade: boolean]>(
  'sign_in_changes.finish',
  `with finished as (delete from portal.changes where change_id = $1 returning *)
   insert into portal.events (event_id, user_id, event, address, created_at)
   select f.change_id, u.id, f.change, f.address, f.created_at
   from finished f join portal.users u on u.id = f.user_id where $2::boolean`,
);

/** Adds nothing for people who never signed in. */
export const insertPersonEvent = statement<
  [eventId: string, email: string, event: PersonEvent, address: string, createdAt: Date]
>(
  'person_events.insert',
  `insert into portal.events (event_id, user_id, event, address, created_at)
   select $1, u.id, $3, $4, $5 from portal.users u where u.email = $2`,
);

interface PersonEventRow {
  event_id: string;
  event: string;
  address: string;
  created_at: Date;
}

export const selectPersonEvents = statement<[email: string, limit: number], PersonEventRow>(
  'person_events.list',
  `select e.event_id, e.event, e.address, e.created_at
   from portal.users u join portal.events e on e.user_id = u.id
   where u.email = ${foldAddress('$1')} order by e.event_id desc limit $2`,
);

export const deleteOldPersonEvents = statement<[createdBefore: Date]>(
  'person_events.delete_before',
  'delete from portal.events where created_at < $1',
);

export const selectPerson = statement<[email: string], { id: string }>(
  'people.select',
  `select id from portal.users where email = ${foldAddress('$1')}`,
);

/** Also deletes the app, recovery codes, passkeys and sessions. The next sign-in creates the person again. */
export const deletePerson = statement<[email: string]>(
  'people.delete',
  `delete from portal.users where email = ${foldAddress('$1')}`,
);

export const updateName = statement<[userId: string, name: string]>(
  'people.update_name',
  'update portal.users set name = $2 where id = $1',
);

export const selectNames = statement<[emails: string[]], { email: string; name: string }>(
  'people.select_names',
  `select email, name from portal.users where email = any($1) and name <> ''`,
);
