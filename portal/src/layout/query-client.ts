import { focusManager, notifyManager, QueryCache, QueryClient } from '@tanstack/react-query';
import { ApiError } from '../api/client.ts';
import { sayOutage } from '../api/outage.ts';
import { askFailedReads } from './ask-again.ts';

const FRESH_MS = 5_000;
const ASK_EVERY_MS = 5_000;

declare module '@tanstack/react-query' {
  interface Register {
    mutationMeta: {
      /** Changes nothing on the server, so its end is not announced elsewhere. */
      isRead?: boolean;
      /** What happened, if the person is on another page by then: `The gift is bought.` */
      done?: string;
    };
  }
}

// Before the next press of a double click, so that a button is disabled while the act of its first press runs.
notifyManager.setScheduler(queueMicrotask);

/**
 * Retries reads once after a lost connection or a server error, and never after a client error. An act without a
 * connection fails at once: one that waited for the connection would happen after the person gave up.
 */
export const queryClient = new QueryClient({
  queryCache: new QueryCache({ onError: (error) => sayOutage(error, 'This page loads by itself when it is back.') }),
  defaultOptions: {
    queries: {
      staleTime: FRESH_MS,
      retry: (count, error) => count < 1 && !(error instanceof ApiError && error.status > 0 && error.status < 500),
    },
    mutations: { networkMode: 'always' },
  },
});

// Loads with the first act, because most visits have none.
const stop = queryClient.getMutationCache().subscribe(() => {
  stop();
  void import('./left-acts.ts').then(
    ({ announceLeftActs }) => announceLeftActs(queryClient),
    () => undefined,
  );
});

async function keepAsking(): Promise<void> {
  if (focusManager.isFocused()) await askFailedReads(queryClient);
  setTimeout(keepAsking, ASK_EVERY_MS);
}
void keepAsking();
