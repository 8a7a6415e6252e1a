import { hashKey, type QueryClient, type QueryKey, useMutation, useQueryClient } from '@tanstack/react-query';
import { useRouter } from '@tanstack/react-router';
import { takeAnswered } from '../api/answered.ts';
import { changesOf } from '../api/changes.ts';
import { ApiError } from '../api/client.ts';
import type { QueryWord } from '../api/query-words.ts';
import { useToast } from './toast.tsx';

/** Errors that pass by themselves: another act is under way for a moment, and nothing was done. */
const PASSING = ['idempotency_in_progress', 'resource_locked'];
const MOST_RETRIES = 3;
const RETRY_MS = 700;

interface Act<Answer, Input> {
  send: (input: Input) => Promise<Answer>;
  /** The key of what the answer is the new state of, so that it is not asked for again. */
  shows?: QueryKey | ((answer: Answer) => QueryKey) | undefined;
  /** What changed beside the operations that were sent: the routes of the sign-in have no document. */
  alsoChanges?: readonly QueryWord[];
  /** False if the refreshed page may not have the act any more: then it is said and closed first. */
  waits?: boolean;
  /** Before anything is read again: forgets a draft, or leaves the page of what is gone. */
  onAnswer?: (answer: Answer, input: Input) => unknown;
  /** Said when it is done. */
  done?: string | ((answer: Answer, input: Input) => string);
  /** Said when it is done and another page is open by then. */
  doneElsewhere?: string;
  /** Closes the dialog, or leads to another page. */
  onDone?: (answer: Answer, input: Input) => unknown;
  /** Says a refusal, because no form shows it. */
  saysRefusal?: boolean;
  onRefused?: (error: Error) => void;
  /** Tries again while another act on the same thing is under way. */
  isRetried?: boolean;
  /** Changes nothing on the server, so nothing is read again, and its end is not said on another page. */
  isRead?: boolean;
  /** Finds the act from another page. */
  key?: readonly unknown[];
}

/**
 * Sends what a person does, reads again what its operations changed, says that it is done and closes its dialog. After a
 * failure, reads again what was changed before it. The client asks for a fresh sign-in, and the dialog moves the focus.
 */
export function useAct<Answer, Input = void>(act: Act<Answer, Input>) {
  const client = useQueryClient();
  const router = useRouter();
  const showToast = useToast();
  const { send, shows, done, doneElsewhere, onDone, isRead = false, waits = true } = act;
  const refresh = async (also: readonly QueryWord[] = [], shown?: QueryKey) => {
    if (isRead) return;
    const changed = new Set([...takeAnswered().flatMap(changesOf), ...also]);
    // The routes know the person, and may leave a page that can no longer be read.
    if (changed.delete('me')) {
      await client.invalidateQueries({ queryKey: ['me'] });
      await router.invalidate();
    }
    await readAgain(client, changed, shown);
  };
  return useMutation({
    mutationFn: send,
    meta: { isRead, ...(doneElsewhere === undefined ? { isSaid: done !== undefined } : { done: doneElsewhere }) },
    ...(act.key !== undefined && { mutationKey: act.key }),
    ...(act.isRetried && { retry: isPassing, retryDelay: RETRY_MS }),
    onSuccess: async (answer, input) => {
      await act.onAnswer?.(answer, input);
      const shown = typeof shows === 'function' ? shows(answer) : shows;
      if (shown !== undefined) client.setQueryData(shown, answer);
      const refreshed = refresh(act.alsoChanges, shown);
      if (waits) await refreshed;
      if (done !== undefined) showToast(typeof done === 'function' ? done(answer, input) : done);
      await onDone?.(answer, input);
    },
    onError: (error) => {
      if (act.saysRefusal) showToast(error.message);
      act.onRefused?.(error);
      void refresh();
    },
  });
}

const isPassing = (count: number, error: Error) =>
  count < MOST_RETRIES && error instanceof ApiError && PASSING.includes(error.code);

function readAgain(client: QueryClient, changed: ReadonlySet<QueryWord | 'everything'>, shown: QueryKey | undefined) {
  const known = shown && hashKey(shown);
  return client.invalidateQueries({
    predicate: ({ queryKey, queryHash }) =>
      queryHash !== known && (changed.has(queryKey[0]) || (changed.has('everything') && queryKey[0] !== 'me')),
  });
}
