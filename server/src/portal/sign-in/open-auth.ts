import { betterAuth } from 'better-auth';
import { Pool } from 'pg';
import { clientConfig } from '../../database/connections.ts';
import { authOptions } from './auth-options.ts';
import { claimStep } from './queries.ts';
import { sendCode } from './send-code.ts';
import type { SignInDeps } from './sign-in.ts';

const STATEMENT_TIMEOUT_MS = 5_000;
/** PostgreSQL ends what takes too long; this ends the wait for a network that has stopped. */
const ANSWERED_WITHIN_MS = 6_000;
const CONNECTIONS = 4;

/** `better-auth` on connections of its own, whose tables are those of the schema `portal`. */
export function openAuth(deps: SignInDeps) {
  const { target, publicUrl, linkSecrets, log, clock, database } = deps;
  const pool = new Pool({
    ...clientConfig(target, STATEMENT_TIMEOUT_MS),
    application_name: 'bestow portal',
    // PostgreSQL takes the last where one is named twice.
    options: `${target.options ?? ''} -c search_path=portal`,
    query_timeout: ANSWERED_WITHIN_MS,
    max: CONNECTIONS,
  });
  pool.on('error', (error) => log.warn({ err: error }, 'A database connection of the portal was lost.'));
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
