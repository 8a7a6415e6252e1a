import { statement } from '../../database/statement.ts';

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

export const selectPerson = statement<[email: string], { id: string }>(
  'people.select',
  'select id from portal.users where email = lower($1)',
);

/** Also deletes the app, recovery codes, passkeys and sessions. The next sign-in creates the person again. */
export const deletePerson = statement<[email: string]>(
  'people.delete',
  'delete from portal.users where email = lower($1)',
);
