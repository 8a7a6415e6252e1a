import { errorCode, errorMessage } from '../base/error-code.ts';

/** Why a database cannot be used. */
interface Refusal {
  /** The end of a sentence that begins with the name of the database. */
  reason: string;
  /** Whether it can end without a change of settings, such as a start of PostgreSQL that is not over. */
  canPass: boolean;
}

const NO_ANSWER = 'cannot be reached: it does not answer; start it, or correct the address';
const ENDED = 'ended the connection; see its log, and try again in a moment';
const STARTING = 'is starting or stopping; try again in a moment';

/** By PostgreSQL's codes and those of the operating system. */
const PASSING: Record<string, string> = {
  ECONNREFUSED: 'cannot be reached: nothing listens there; start it, or correct the address',
  EAI_AGAIN: 'cannot be reached: the host’s name cannot be looked up now; correct the address, or try again',
  ENOENT: 'cannot be reached: the socket does not exist; start it, or correct the address',
  ETIMEDOUT: NO_ANSWER,
  EHOSTUNREACH: 'cannot be reached: there is no route to the host; correct the address',
  ENETUNREACH: 'cannot be reached: there is no route to its network; correct the address',
  ECONNRESET: ENDED,
  EPIPE: ENDED,
  '25006': 'takes no changes: it is a standby, or was set to be read only; name the primary',
  '57P01': STARTING,
  '57P02': STARTING,
  '57P03': STARTING,
};

const USED_UP = '53300';
/** PostgreSQL has one code for three limits. */
const limitOf = (message: string) =>
  /for role/.test(message)
    ? 'the connection limit of this role (alter role … connection limit …)'
    : /for database/.test(message)
      ? 'the connection limit of this database (alter database … connection limit …)'
      : 'its max_connections';

const UNKNOWN_AUTHORITY =
  'has a certificate of an authority that is not known here; name the file of its certificate by sslrootcert= in the address, or in NODE_EXTRA_CA_CERTS';

const LASTING: Record<string, string> = {
  SELF_SIGNED_CERT_IN_CHAIN: UNKNOWN_AUTHORITY,
  DEPTH_ZERO_SELF_SIGNED_CERT: UNKNOWN_AUTHORITY,
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: UNKNOWN_AUTHORITY,
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: UNKNOWN_AUTHORITY,
  CERT_HAS_EXPIRED: 'has a certificate that has expired; renew it',
  ERR_TLS_CERT_ALTNAME_INVALID:
    'has a certificate for another name; write the host in the address as its certificate does',
  ENOTFOUND: 'cannot be reached: the host is unknown; correct the address',
  '28P01': 'refuses the user or the password; correct them',
  '28000': 'rejects this user; correct the user, or allow it in pg_hba.conf',
  '3D000': 'does not exist; create it, or correct the name',
  '42501':
    'does not allow this user to migrate it; name the owner of the database in MIGRATION_DATABASE_USER, or run bestow migrate with it',
};

/** `pg` gives these no code. */
const PASSING_MESSAGES = ['timeout expired', 'Connection terminated unexpectedly'];

/** Explains an error of PostgreSQL or of the connection to it. */
export function explainRefusal(error: unknown): Refusal {
  const code = errorCode(error) ?? '';
  const message = errorMessage(error);
  const passing = message === 'timeout expired' ? NO_ANSWER : PASSING[code];
  if (passing !== undefined) return { reason: passing, canPass: true };
  if (code === USED_UP)
    return { reason: `has no connection left; raise ${limitOf(message)}, or stop another client`, canPass: true };
  if (message.startsWith('unsupported startup parameter'))
    return {
      reason: `is behind a pooler that lacks settings (${message}); see docs/operating.md#poolers`,
      canPass: false,
    };
  if (message.endsWith('does not support SSL connections'))
    return {
      reason: 'does not speak TLS; turn ssl on in its settings, or remove sslmode from the address',
      canPass: false,
    };
  return {
    reason: LASTING[code] ?? `cannot be used: ${message || code}`,
    canPass: PASSING_MESSAGES.includes(message),
  };
}
