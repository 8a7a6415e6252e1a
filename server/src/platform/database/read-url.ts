import { Client } from 'pg';
import { errorCode } from '../base/error-code.ts';
import { OperatorError } from '../base/operator-error.ts';
import { connectionParametersOf } from '../base/private-internals.ts';
import type { ConnectionTarget } from './connections.ts';

/** The library reads these as `verify-full` too, and warns that it will not for ever. */
const VERIFYING = /(?<=[?&]sslmode=)(?:prefer|require|verify-ca)(?=&|$)/;

const verified = (url: string) => (url.includes('uselibpqcompat=true') ? url : url.replace(VERIFYING, 'verify-full'));

/**
 * Parses a PostgreSQL URL with its parameters, such as `sslmode`. Ignores names and time limits of sessions, which would
 * replace those of the service.
 *
 * @throws OperatorError if the URL is invalid
 */
export function readUrl(connectionString: string, setting = 'DATABASE_URL'): ConnectionTarget {
  try {
    const { host, port, user, password, database, ssl, sslnegotiation, client_encoding, options } =
      connectionParametersOf<ConnectionTarget>(new Client({ connectionString: verified(connectionString) }));
    return { host, port, user, password, database, ssl, sslnegotiation, client_encoding, options };
  } catch (error) {
    const { path } = error as NodeJS.ErrnoException;
    if (path !== undefined)
      throw new OperatorError(`${setting} names the file ${path}, which cannot be read (${errorCode(error)}).`);
    throw new OperatorError(
      `${setting} cannot be understood (${errorCode(error) ?? 'malformed'}); see postgresql.org on connection URIs.`,
    );
  }
}
