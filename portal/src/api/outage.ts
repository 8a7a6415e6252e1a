import { ApiError } from './client.ts';

/** Whether no answer arrived, or the server could not give one: the same read may soon succeed. */
export const isOutage = (error: unknown): error is ApiError =>
  error instanceof ApiError && (error.status === 0 || error.status >= 500);

/** Says that the server could not answer. Its own sentence is about orders. @param next what the person can do */
export function sayOutage(error: Error, next = 'Try again in a minute.'): void {
  if (isOutage(error) && error.status !== 0) error.message = `The service is not available at the moment. ${next}`;
}
