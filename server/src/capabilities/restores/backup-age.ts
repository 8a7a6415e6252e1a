import { stat } from 'node:fs/promises';

/** A daily backup that takes hours is late by less. */
export const MOST_AGE_MS = 36 * 3_600_000;

/** A clock may be a little ahead. */
const MOST_AHEAD_MS = 3_600_000;

/**
 * How long ago a backup wrote its file, in milliseconds; infinite if that is unknown: the file is missing, empty, out of reach,
 * not a file, or dated in the future.
 */
export async function findBackupAge(file: string, nowMs: number): Promise<number> {
  const found = await stat(file).catch(() => undefined);
  if (!found?.isFile() || found.size === 0) return Number.POSITIVE_INFINITY;
  const ageMs = nowMs - found.mtimeMs;
  return ageMs < -MOST_AHEAD_MS ? Number.POSITIVE_INFINITY : Math.max(0, ageMs);
}
