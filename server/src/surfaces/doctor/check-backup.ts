import { findBackupAge, MOST_AGE_MS } from '../../capabilities/restores/backup-age.ts';
import type { Queryable } from '../../platform/database/statement.ts';
import { type Finding, fault, ok, warning } from './finding.ts';
import { type ArchiveRow, selectArchive } from './live-queries.ts';

const CHECK = 'backup';
const HOUR_MS = 3_600_000;
const KEEP_SECRET = 'LINK_SECRET is not in a dump: keep a copy of it';
const NONE = 'neither BACKUP_FILE nor archive_mode is set';
const ADVICE =
  'Make a backup each day and name its file in BACKUP_FILE, or archive the write-ahead log: docs/install.md#a-backup-each-day.';

interface BackupDeps {
  backupFile: string | undefined;
  servers: readonly Queryable[];
  nowMs: number;
  /** How much a missing backup matters. */
  need: 'fault' | 'warning' | undefined;
}

/** Checks whether there is a recent backup: the file that a backup writes, or the archive of the write-ahead log. */
export async function checkBackup({ backupFile, servers, nowMs, need }: BackupDeps): Promise<Finding[]> {
  if (backupFile !== undefined) return [await checkFile(backupFile, nowMs)];
  const archives = await Promise.all(servers.map((server) => selectArchive(server, [])));
  const reason = archives.map(([archive]) => findArchiveFault(archive, nowMs)).find((found) => found !== undefined);
  if (reason === undefined) return [ok(CHECK, `the write-ahead log is archived. ${KEEP_SECRET}`)];
  if (reason !== NONE || need === 'fault') return [fault(CHECK, reason, ADVICE)];
  return need === undefined ? [] : [warning(CHECK, `not looked at: ${reason}`, ADVICE)];
}

async function checkFile(path: string, nowMs: number): Promise<Finding> {
  const ageMs = await findBackupAge(path, nowMs);
  if (ageMs === Number.POSITIVE_INFINITY)
    return fault(CHECK, `${path} is missing, empty, out of reach, not a file, or dated in the future`, ADVICE);
  const hours = Math.floor(ageMs / HOUR_MS);
  return ageMs <= MOST_AGE_MS
    ? ok(CHECK, `${path} is ${hours} hours old. ${KEEP_SECRET}`)
    : fault(CHECK, `${path} is ${hours} hours old`, 'See why the backup did not run.');
}

/** Returns why the write-ahead log is no recent backup; undefined if it is one. */
export function findArchiveFault(archive: ArchiveRow | undefined, nowMs: number): string | undefined {
  if (archive === undefined || archive.mode === 'off') return NONE;
  const { archived_at: archivedAt, failed_at: failedAt } = archive;
  if (archivedAt === null || (failedAt !== null && failedAt > archivedAt))
    return 'the write-ahead log is not archived: archive_command fails or has not run';
  if (nowMs - archivedAt.getTime() <= MOST_AGE_MS) return undefined;
  return `the write-ahead log was archived last at ${archivedAt.toISOString()}; set archive_timeout`;
}
