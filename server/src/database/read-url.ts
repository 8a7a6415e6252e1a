import { Client } from 'pg';
import { errorCode } from '../base/error-code.ts';
import { OperatorError } from '../base/operator-error.ts';
import type { ConnectionTarget } from './connections.ts';

/** The client as `pg` makes it, with what it keeps but does not type. */
type ReadClient = Client & { connectionParameters: ConnectionTarget };

/**
 * Where the URL leads and how to get there, such as by `sslmode`. `pg` lets a URL's parameters win over what a session of
 * ours sets for itself, so what it says of a session's name and time limits is left out.
 *
 * @throws OperatorError where it cannot be understood
 */
export function readUrl(connectionString: string): ConnectionTarget {
  try {
    const { connectionParameters } = new Client({ connectionString }) as ReadClient;
    const { host, port, user, password, database, ssl, sslnegotiation, client_encoding, options } =
      connectionParameters;
    return { host, port, user, password, database, ssl, sslnegotiation, client_encoding, options };
  } catch (error) {
    throw new OperatorError(
      `DATABASE_URL cannot be understood (${errorCode(error) ?? 'malformed'}); see postgresql.org on connection URIs.`,
    );
  }
}
