import { useNavigate } from '@tanstack/react-router';
import { useEffect } from 'react';
import { ApiError } from '../api/client.ts';

/** Filters with a list of values. The list says which value it shows, so a wrong one may be dropped. */
const CHOICES = ['status', 'state', 'method', 'kind', 'category'];

const isRefused = (error: Error | null, code: string): error is ApiError =>
  error instanceof ApiError && error.code === code;

/**
 * Goes back to the first page if the cursor in the URL is invalid, as after a reset of the sandbox, and drops a filter from
 * the URL if the list does not have its value.
 */
export function useLostCursor(error: Error | null, startAgain: () => void): void {
  const navigate = useNavigate();
  const isLost = isRefused(error, 'cursor_invalid');
  const wrong = isRefused(error, 'parameter_invalid') ? CHOICES.find((name) => name === error.param) : undefined;
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs once for each lost cursor
  useEffect(() => {
    if (isLost) startAgain();
  }, [isLost]);
  useEffect(() => {
    if (wrong === undefined) return;
    void navigate({ to: '.', search: (search: object) => ({ ...search, [wrong]: undefined }), replace: true });
  }, [wrong, navigate]);
}
