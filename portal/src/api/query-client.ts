import { QueryClient } from '@tanstack/react-query';
import { ApiError } from './client.ts';

const FRESH_MS = 5_000;

/** Retries once after a lost connection or a server error, and never after a client error. */
export const queryClient = new QueryClient({
  defaultOptions: {
    queries: {
      staleTime: FRESH_MS,
      retry: (count, error) => count < 1 && !(error instanceof ApiError && error.status > 0 && error.status < 500),
    },
  },
});
