import type { Clock } from '../../../platform/base/clock.ts';

/** Returns the day in UTC, such as `2026-11-30`. A code is handed out only before the day on which it expires. */
export const todayOf = (clock: Clock): string => new Date(clock.now()).toISOString().slice(0, 10);
