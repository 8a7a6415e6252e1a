import { useEffect } from 'react';
import { ApiError } from '../api/client.ts';

/** Goes back to the first page if the cursor in the URL is invalid, as after a reset of the sandbox. */
export function useLostCursor(error: Error | null, startAgain: () => void): void {
  const isLost = error instanceof ApiError && error.code === 'cursor_invalid';
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs once for each lost cursor
  useEffect(() => {
    if (isLost) startAgain();
  }, [isLost]);
}
