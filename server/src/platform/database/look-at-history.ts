import type { ClientBase, QueryConfig } from 'pg';
import { errorCode } from '../base/error-code.ts';
import { ANSWER_WITHIN_MS, ReadOnlyDatabase, requireChanges } from './read-only.ts';

/** How far a server's log has come: bytes on a timeline. A standby that is promoted begins a new timeline. */
export interface LogPosition {
  timeline: number;
  bytes: number;
}

/** Where a server stands. Positions are `float8`, because each pool has its own parsers of `bigint`. */
interface Found {
  is_read_only: boolean;
  system: string;
  /** Null on a standby. */
  timeline: number | null;
  bytes: number | null;
  /** Where the timeline begins, if this server was promoted since its start. */
  begins_at: number | null;
  kept_until: Date | null;
}

const bytesOf = (position: string) => `pg_wal_lsn_diff(${position}, '0/0')::float8`;
/** Bytes of the log up to now. */
export const LOG_POSITION = bytesOf('pg_current_wal_insert_lsn()');

/** The position that a promoted server replayed last is where its timeline branched off. */
const LOOK = `select current_setting('transaction_read_only')::boolean as is_read_only,
    (select system_identifier::text from pg_control_system()) as system,
    case when not pg_is_in_recovery()
      then ('x' || left(pg_walfile_name(pg_current_wal_insert_lsn()), 8))::bit(32)::integer end as timeline,
    case when not pg_is_in_recovery() then ${LOG_POSITION} end as bytes,
    ${bytesOf('pg_last_wal_replay_lsn()')} as begins_at,
    pg_last_xact_replay_timestamp() as kept_until`;
/** A server that does not tell: other than PostgreSQL's own, or with functions taken away. */
const SILENT_CODES = ['42501', '42883', '0A000'];

/**
 * Looks where a session's server stands in its history.
 *
 * @returns undefined if the server does not tell
 * @throws ReadOnlyDatabase if the session may only read
 */
export async function lookAtHistory(client: ClientBase): Promise<Found | undefined> {
  try {
    const { rows } = await client.query<Found>({ text: LOOK, query_timeout: ANSWER_WITHIN_MS } as QueryConfig);
    const [found] = rows;
    if (found?.is_read_only) throw new ReadOnlyDatabase();
    return found;
  } catch (error) {
    if (!SILENT_CODES.includes(errorCode(error) ?? '')) throw error;
    await requireChanges(client);
    return undefined;
  }
}
