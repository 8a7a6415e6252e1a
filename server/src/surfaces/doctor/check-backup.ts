import { stat } from 'node:fs/promises';
import type { Queryable } from '../../platform/database/statement.ts';
import { type Finding, fault, ok } from './finding.ts';
import { type ArchiveRow, selectArchive } from './live-queries.ts';

const CHECK = 'live: backup';
/** A daily backup that takes hours is late by less. */
const MOST_AGE_MS = 36 * 3_600_000;
const KEEP_SECRET = 'LINK_SECRET is not in a dump: keep a copy of it';
const ADVICE =
  'Make a backup each day and name its file in BACKUP_FILE, or archive the write-ahead log: docs/install.md#a-backup-each-day.';

interface BackupDeps {
  backupFile: string | undefined;
  servers: readonly Queryable[];
  nowMs: number;
}

/** Checks whether there is a recent backup: the file that a backup writes, or the archive of the write-ahead log. */
export async function checkBackup({ backupFile, servers, nowMs }: BackupDeps): Promise<Finding> {
  if (backupFile !== undefined) return checkFile(backupFile, nowMs);
  const archives = await Promise.all(servers.map((server) => selectArchive(server, [])));
  const reason = archives.map(([archive]) => findArchiveFault(archive, nowMs)).find((found) => found !== undefined);
  return reason === undefined
    ? ok(CHECK, `the write-ahead log is archived. ${KEEP_SECRET}`)
    : fault(CHECK, reason, ADVICE);
}

async function checkFile(path: string, nowMs: number): Promise<Finding> {
  const found = await stat(path).catch(() => undefined);
  if (found === undefined || found.size === 0) return fault(CHECK, `${path} is missing or empty`, ADVICE);
  const hours = Math.floor((nowMs - found.mtimeMs) / 3_600_000);
  return nowMs - found.mtimeMs <= MOST_AGE_MS
    ? ok(CHECK, `${path} is ${Math.max(0, hours)} hours old. ${KEEP_SECRET}`)
    : fault(CHECK, `${path} is ${hours} hours old`, 'See why the backup did not run.');
}

/** Returns why the write-ahead log is no recent backup; undefined if it is one. */
export function findArchiveFault(archive: ArchiveRow | undefined, nowMs: number): string | undefined {
  if (archive === undefined || archive.mode === 'off') return 'neither BACKUP_FILE nor archive_mode is set';
  const { archived_at: archivedAt, failed_at: failedAt } = archive;
  if (archivedAt === null || (failedAt !== null && failedAt > archivedAt))
    return 'the write-ahead log is not archived: archive_command fails or has not run';
  if (nowMs - archivedAt.getTime() <= MOST_AGE_MS) return undefined;
  return `the write-ahead log was archived last at ${archivedAt.toISOString()}; set archive_timeout`;
}
