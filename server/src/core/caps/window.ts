import { DAY_MS, startOfDay } from '../../platform/base/id-time.ts';

const HOUR_MS = 3_600_000;

/** When the windows that a time lies in began, in UTC. */
export const startsOf = (nowMs: number) => ({
  hour: new Date(nowMs - (nowMs % HOUR_MS)),
  day: new Date(startOfDay(nowMs)),
  month: new Date(Date.UTC(new Date(nowMs).getUTCFullYear(), new Date(nowMs).getUTCMonth())),
});

export type Window = keyof ReturnType<typeof startsOf>;

/** When a window ends that began at this time. */
export function endOf(period: Window, startedAt: Date): Date {
  if (period === 'month') return new Date(Date.UTC(startedAt.getUTCFullYear(), startedAt.getUTCMonth() + 1));
  return new Date(startedAt.getTime() + (period === 'hour' ? HOUR_MS : DAY_MS));
}
