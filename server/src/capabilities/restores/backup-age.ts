import { stat } from 'node:fs/promises';

/** A daily backup that takes hours is late by less. */
export const MOST_AGE_MS = 36 * 3_600_000;

/** How long ago a backup wrote its file, in milliseconds; infinite if the file is missing, empty or out of reach. */
export async function findBackupAge(file: string, nowMs: number): Promise<number> {
  const found = await stat(file).catch(() => undefined);
  return found === undefined || found.size === 0 ? Number.POSITIVE_INFINITY : Math.max(0, nowMs - found.mtimeMs);
}
