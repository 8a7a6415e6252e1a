import { betterAuth } from 'better-auth';
import { Pool, type PoolClient } from 'pg';
import { errorCode } from '../../../platform/base/error-code.ts';
import { wrapQuery } from '../../../platform/base/private-internals.ts';
import { clientConfig, SIGN_IN_CONNECTIONS } from '../../../platform/database/connections.ts';
import { isReadOnly } from '../../../platform/database/read-only.ts';
import { sessionOptions } from '../../../platform/database/session-settings.ts';
import { authOptions } from './auth-options.ts';
import { createCodeActs } from './code-acts.ts';
import { signInUrls } from './origins.ts';
import { claimStep } from './queries.ts';
import type { SignInDeps } from './sign-in.ts';

const STATEMENT_TIMEOUT_MS = 5_000;
/** For a network that has stopped; PostgreSQL ends slow statements itself. */
const ANSWERED_WITHIN_MS = 6_000;

/** Opens `better-auth` on a separate pool that uses the schema `portal`. */
export function openAuth(deps: SignInDeps) {
  const { target, linkSecrets, log, clock, database } = deps;
  const pool = new Pool({
    ...clientConfig(target, STATEMENT_TIMEOUT_MS),
    application_name: 'bestow portal',
    options: sessionOptions(target, '-c search_path=portal'),
    query_timeout: ANSWERED_WITHIN_MS,
    max: SIGN_IN_CONNECTIONS,
    ...database.homeHistory?.poolOptions,
  });
  database.homeHistory?.watch(pool);
  const report = (error: Error) => log.warn({ err: error }, 'A database connection of the portal was lost.');
  pool.on('error', report);
  pool.on('connect', (client) => {
    // A checked-out client emits `error` as well as rejecting its query; handle the event.
    client.on('error', report);
    endIfUnusable(client);
  });
  const auth = betterAuth(
    authOptions({
      pool,
      urls: signInUrls(deps),
      secrets: linkSecrets,
      log,
      clock,
      claimStep: async (authenticatorId, step) => (await claimStep(database.home, [authenticatorId, step])).length > 0,
      codeActs: createCodeActs(deps),
    }),
  );
  return { auth, close: () => pool.end() };
}

/**
 * Ends the connection if a query times out or is refused because the session is read-only. The library would return the
 * connection to the pool, and the next query would wait or fail.
 */
function endIfUnusable(client: PoolClient): void {
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
