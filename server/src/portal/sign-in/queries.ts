import { statement } from '../../database/statement.ts';

/** Of requests at once with one code, also at several processes, one gets the row; nothing is returned to the others. */
export const claimStep = statement<[authenticatorId: string, step: number], { id: string }>(
  'authenticators.claim_step',
  `update portal.two_factors set last_used_step = $2
   where id = $1 and (last_used_step is null or last_used_step < $2)
   returning id`,
);

/**
 * By PostgreSQL's time: the library writes the real one, whatever the clock says, and a day is more than two servers differ.
 * Reads the whole table, which has a row for each sign-in of the last days.
 */
export const deleteExpiredSessions = statement<[limit: number]>(
  'sessions.delete_expired',
  `delete from portal.sessions
   where id in (select id from portal.sessions where expires_at < now() - interval '1 day' limit $1)`,
);

export const selectPerson = statement<[email: string], { id: string }>(
  'people.select',
  'select id from portal.users where email = lower($1)',
);

/** With all that belongs to the person: app, recovery codes, passkeys, sessions. The next sign-in makes the person anew. */
export const deletePerson = statement<[email: string]>(
  'people.delete',
  'delete from portal.users where email = lower($1)',
);
