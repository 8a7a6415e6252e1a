import { betterAuth } from 'better-auth';
import { Pool, type PoolClient } from 'pg';
import { errorCode } from '../../base/error-code.ts';
import { wrapQuery } from '../../base/private-internals.ts';
import { clientConfig, SIGN_IN_CONNECTIONS } from '../../database/connections.ts';
import { isReadOnly, verifyChanges } from '../../database/read-only.ts';
import { authOptions } from './auth-options.ts';
import { claimStep } from './queries.ts';
import { sendCode } from './send-code.ts';
import type { SignInDeps } from './sign-in.ts';

const STATEMENT_TIMEOUT_MS = 5_000;
/** PostgreSQL ends what takes too long; this ends the wait for a network that has stopped. */
const ANSWERED_WITHIN_MS = 6_000;

/** `better-auth` on connections of its own, whose tables are those of the schema `portal`. */
export function openAuth(deps: SignInDeps) {
  const { target, publicUrl, linkSecrets, log, clock, database } = deps;
  const pool = new Pool({
    ...clientConfig(target, STATEMENT_TIMEOUT_MS),
    application_name: 'bestow portal',
    // PostgreSQL takes the last where one is named twice.
    options: `${target.options ?? ''} -c search_path=portal`,
    query_timeout: ANSWERED_WITHIN_MS,
    max: SIGN_IN_CONNECTIONS,
    verify: verifyChanges,
  });
  const report = (error: Error) => log.warn({ err: error }, 'A database connection of the portal was lost.');
  pool.on('error', report);
  pool.on('connect', (client) => {
    // A connection that is lost while it is lent says so twice: to its query, and in an event that ends the process where
    // nobody hears it.
    client.on('error', report);
    endWhereUseless(client);
  });
  const auth = betterAuth(
    authOptions({
      pool,
      publicUrl: publicUrl(),
      secrets: linkSecrets,
      log,
      clock,
      claimStep: async (authenticatorId, step) => (await claimStep(database.pool, [authenticatorId, step])).length > 0,
      // Not waited for: how long the answer takes must not tell whether the address is known.
      sendCode: (email, code) => {
        sendCode(deps, email, code).catch((error: unknown) => log.error({ err: error }, 'A code could not be sent.'));
      },
    }),
  );
  return { auth, close: () => pool.end() };
}

/**
 * Ends the connection at a query that is not answered in time, or that is refused because the session may only read. The
 * library gives it back as a good one all the same, and whoever is lent it next would wait behind that query, or be refused.
 */
function endWhereUseless(client: PoolClient): void {
  wrapQuery(client, (query) => async (...parameters) => {
    try {
      return await query(...parameters);
    } catch (error) {
      // PostgreSQL's own errors have a code.
      if (errorCode(error) === undefined || isReadOnly(error)) void client.end();
      throw error;
    }
  });
}
