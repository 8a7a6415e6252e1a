const LATEST_MS = 2 ** 48 - 1;

/** Returns the lower bound of the ids made at this time or later: ids are UUIDv7 and begin with their time. */
export function idBefore(time: Date): string {
  const ms = Math.min(Math.max(time.getTime(), 0), LATEST_MS);
  const hex = ms.toString(16).padStart(12, '0');
  return `${hex.slice(0, 8)}-${hex.slice(8)}-0000-0000-000000000000`;
}

/** Returns when an id was made, to the millisecond. */
export const timeOfId = (uuid: string) => new Date(Number.parseInt(uuid.slice(0, 8) + uuid.slice(9, 13), 16));

export const DAY_MS = 86_400_000;

/** Returns the start of a time's UTC day. */
export const startOfDay = (ms: number) => ms - (ms % DAY_MS);
