import { Client } from 'pg';
import { errorCode } from '../base/error-code.ts';
import { OperatorError } from '../base/operator-error.ts';
import { connectionParametersOf } from '../base/private-internals.ts';
import type { ConnectionTarget } from './connections.ts';

/** The library reads these as `verify-full` too, and warns that it will not for ever. */
const VERIFYING = /(?<=[?&]sslmode=)(?:prefer|require|verify-ca)(?=&|$)/;

const SSL_MODES = ['disable', 'no-verify', 'prefer', 'require', 'verify-ca', 'verify-full'];
const SSL_PARAMETERS = ['ssl', 'sslmode', 'sslnegotiation', 'sslrootcert', 'sslcert', 'sslkey'];

/** A parameter with a typing error would be ignored, and the connection without TLS. */
function requireKnownSsl(url: string, setting: string): void {
  for (const [name, value] of new URLSearchParams(url.split('?', 2)[1] ?? '')) {
    if (/^ssl/i.test(name) && !SSL_PARAMETERS.includes(name))
      throw new OperatorError(`${setting} has the unknown parameter ${name}; known are ${SSL_PARAMETERS.join(', ')}.`);
    if (name === 'sslmode' && !SSL_MODES.includes(value))
      throw new OperatorError(`${setting} has the unknown sslmode ${value}; use one of ${SSL_MODES.join(', ')}.`);
  }
}

const verified = (url: string) => (url.includes('uselibpqcompat=true') ? url : url.replace(VERIFYING, 'verify-full'));

/**
 * Parses a PostgreSQL URL with its parameters, such as `sslmode`. Ignores names and time limits of sessions, which would
 * replace those of the service.
 *
 * @throws OperatorError if the URL is invalid
 */
export function readUrl(connectionString: string, setting = 'DATABASE_URL'): ConnectionTarget {
  requireKnownSsl(connectionString, setting);
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
