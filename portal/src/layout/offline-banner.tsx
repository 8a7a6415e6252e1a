import { useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { askServer, useIsReachable } from '../api/reachability.ts';

const ASK_EVERY_MS = 3_000;

/** Shown while the server does not answer. When it answers again, the page's data is read again. */
export function OfflineBanner() {
  const isReachable = useIsReachable();
  const queryClient = useQueryClient();
  useEffect(() => {
    if (isReachable) return;
    const ask = async () => {
      if (await askServer()) await queryClient.invalidateQueries();
    };
    const timer = setInterval(() => void ask(), ASK_EVERY_MS);
    return () => clearInterval(timer);
  }, [isReachable, queryClient]);
  return (
    <div role="status">
      {!isReachable && (
        <p className="print:hidden border-b border-warn/30 bg-warn-wash px-4 py-3 text-warn sm:px-8">
          <strong>The server cannot be reached.</strong> You see what was loaded before. We keep trying; nothing that
          you typed is lost.
        </p>
      )}
    </div>
  );
}
