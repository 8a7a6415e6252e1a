import { notifyManager, QueryCache, QueryClient } from '@tanstack/react-query';
import { ApiError } from '../api/client.ts';
import { sayOutage } from '../api/outage.ts';

const FRESH_MS = 5_000;
const LOADED_AFTER_MS = 5_000;

declare module '@tanstack/react-query' {
  interface Register {
    mutationMeta: {
      /** Changes nothing on the server, so its end is not announced elsewhere. */
      isRead?: boolean;
      /** Says by itself that it is done, also if its button went with the change. */
      isSaid?: boolean;
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

// Before an outage, in which it could not be loaded; after the first page.
setTimeout(() => {
  void import('./ask-again.ts').then(
    ({ keepAsking }) => keepAsking(queryClient),
    () => undefined,
  );
}, LOADED_AFTER_MS);
