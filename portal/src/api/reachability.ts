import { useSyncExternalStore } from 'react';
import { servicePath } from '../base/address.ts';

/** Whether the latest request got an answer, of any status. */
let isReachable = true;
const listeners = new Set<() => void>();

/** Notes whether the server answered. */
export function noteReachable(answered: boolean): void {
  if (isReachable === answered) return;
  isReachable = answered;
  for (const listener of listeners) listener();
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

export const useIsReachable = () => useSyncExternalStore(subscribe, () => isReachable);

/** Asks the server whether it answers. */
export async function askServer(): Promise<boolean> {
  const answered = await fetch(`${servicePath}/v1/health`, { cache: 'no-store' }).then(
    () => true,
    () => false,
  );
  noteReachable(answered);
  return answered;
}
