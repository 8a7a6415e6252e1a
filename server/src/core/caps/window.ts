import { startOfDay } from '../../platform/base/id-time.ts';

const HOUR_MS = 3_600_000;

/** When the windows that a time lies in began, in UTC. */
export const startsOf = (nowMs: number) => ({
  hour: new Date(nowMs - (nowMs % HOUR_MS)),
  day: new Date(startOfDay(nowMs)),
});
