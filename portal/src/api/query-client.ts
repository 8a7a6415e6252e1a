import { QueryClient } from '@tanstack/react-query';
import { ApiError } from './client.ts';

const FRESH_MS = 5_000;

/** Answers that the server gave are not asked for again; where it could not be reached, once more. */
export const queryClient = new QueryClient({
  defaultOptions: {
    queries: {
      staleTime: FRESH_MS,
      retry: (count, error) => count < 1 && !(error instanceof ApiError && error.status > 0 && error.status < 500),
    },
  },
});
