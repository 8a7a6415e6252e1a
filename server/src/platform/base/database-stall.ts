import { QueueFull } from './coalesce.ts';

const stalls = new WeakSet<object>();

/** Remembers that the error means a stalled, full or unreachable database. */
export function noteStall(error: unknown): void {
  if (error instanceof Error) stalls.add(error);
}

/** Whether the request failed because the database is stalled, full or unreachable, or because of those that wait for it. */
export const isStall = (error: unknown) => error instanceof QueueFull || (error instanceof Error && stalls.has(error));
