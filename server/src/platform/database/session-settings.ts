/** What the statements and parsers need; the server, the database and the role may have other defaults. */
export const SESSION_SETTINGS: Readonly<Record<string, string>> = {
  datestyle: 'ISO',
  intervalstyle: 'postgres',
  timezone: 'UTC',
  // The rows of the named organizations, and the tables that belong to none.
  search_path: 'limited, public',
  standard_conforming_strings: 'on',
  bytea_output: 'hex',
};

const SESSION = Object.entries(SESSION_SETTINGS)
  .map(([name, value]) => `-c ${name}=${value.replace(' ', '\\ ')}`)
  .join(' ');

/** PostgreSQL ends a session whose client is gone within a minute, not after the two hours of Linux. */
const ENDS_LOST =
  '-c tcp_keepalives_idle=30 -c tcp_keepalives_interval=10 -c tcp_keepalives_count=3 -c tcp_user_timeout=30000';

/** Compiling a plan takes seconds where a check needs milliseconds. It is on by default. */
const NOT_COMPILED = '-c jit=off';

/** Connections set their own limit, or need none. */
const NO_LIMIT = '-c statement_timeout=0';

/** PostgreSQL uses the last of repeated options, so those of `DATABASE_URL` come first. */
export const sessionOptions = ({ options }: { options?: string | undefined }, more = ''): string =>
  [options, SESSION, ENDS_LOST, NOT_COMPILED, NO_LIMIT, more].filter(Boolean).join(' ');
