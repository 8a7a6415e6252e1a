import { useEffect } from 'react';
import { ApiError } from '../api/client.ts';

/** A list's place in the URL may name what is gone (after the sandbox's reset); the list then begins at its newest. */
export function useLostCursor(error: Error | null, startAgain: () => void): void {
  const isLost = error instanceof ApiError && error.code === 'cursor_invalid';
  // biome-ignore lint/correctness/useExhaustiveDependencies: once for each lost cursor, whatever the callback's identity
  useEffect(() => {
    if (isLost) startAgain();
  }, [isLost]);
}
