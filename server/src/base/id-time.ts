const LATEST_MS = 2 ** 48 - 1;

/** Below every id that is made at this time or later, and above every earlier one: ids are UUIDv7 and begin with it. */
export function idBefore(time: Date): string {
  const ms = Math.min(Math.max(time.getTime(), 0), LATEST_MS);
  const hex = ms.toString(16).padStart(12, '0');
  return `${hex.slice(0, 8)}-${hex.slice(8)}-0000-0000-000000000000`;
}

/** When an id was made, to the millisecond. */
export const timeOfId = (uuid: string) => new Date(Number.parseInt(uuid.slice(0, 8) + uuid.slice(9, 13), 16));

export const DAY_MS = 86_400_000;

/** The beginning of the UTC day that a time lies in. */
export const startOfDay = (ms: number) => ms - (ms % DAY_MS);
