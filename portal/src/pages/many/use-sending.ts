import { useIsMutating } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useEffect, useRef, useState } from 'react';
import { useScope } from '../../api/use-scope.ts';
import { useToast } from '../../ui/toast.tsx';
import { useAct } from '../../ui/use-act.ts';
import { isHeld, useAskForHeld } from '../approvals/held.tsx';
import { isUnanswered } from '../gift-form/send-draft.ts';
import { isKeptForm, keepUnsent, type ManyDraft, removeSent } from './many-draft.ts';
import { askForRows, sendRows, settleForm } from './send-rows.ts';

/** Sends the rows of a draft. If the page is left, the act goes on, and a notice says how it ended. */
export function useSending(draft: ManyDraft, onEnded: () => void) {
  const { path, params } = useScope();
  const navigate = useNavigate();
  const showToast = useToast();
  const [stored, setStored] = useState(0);
  const { formId, name, acceptsDuplicates, tried } = draft.answers;
  const form = { formId, name, rows: draft.checked?.rows ?? [] };
  const mutationKey = ['send-many', formId];
  const send = useAct({
    key: mutationKey,
    send: (_formId: string) => sendRows(path, { ...form, acceptsDuplicates, onProgress: setStored }),
    onAnswer: () => removeSent(draft.key, formId),
    doneElsewhere: `The gifts of “${name}” are being sent.`,
    onRefused: (error) => !isUnanswered(error) && keepUnsent(draft.key, formId),
  });
  const settle = useAct({
    isRead: true,
    send: () => settleForm(path, { ...form, gifts: tried?.gifts ?? form.rows.length }),
  });
  const asking = useAskForHeld(
    () => askForRows(path, { ...form, acceptsDuplicates }),
    () => removeSent(draft.key, formId),
  );
  const show = (batchId: string) => {
    removeSent(draft.key, formId);
    void navigate({
      to: '/$organizationId/$environment/gifts/files/$batchId',
      params: { ...params, batchId },
      replace: true,
    });
  };
  const isElsewhere = useIsMutating({ mutationKey }) > 0 && !send.isPending;
  useEnd(isElsewhere, () => !isKeptForm(draft.key, formId) && onEnded());
  return {
    stored,
    error: send.error ?? settle.error,
    isSending: send.isPending || isElsewhere,
    /** Whether the rows may be sent: no answer said that they are not. */
    isUnknown: tried !== undefined && !send.isPending && !isElsewhere,
    isSettling: settle.isPending,
    isSettled: settle.isSuccess,
    /** The request for an approval, if a rule holds the rows back. */
    held: isHeld(send.error) && send.variables === formId ? asking : undefined,
    send() {
      settle.reset();
      draft.setTried(true);
      // These callbacks are not called if the page is left.
      send.mutate(formId, { onSuccess: show, onError: (error) => !isUnanswered(error) && draft.setTried(false) });
    },
    settle() {
      send.reset();
      settle.mutate(undefined, {
        onSuccess: (batchId) => {
          if (batchId !== undefined) return show(batchId);
          draft.renew();
          // Without its rows, the review gives way to the choice of a file.
          if (draft.checked === undefined) showToast(`Nothing of “${name}” was sent.`);
        },
      });
    },
  };
}

/** Runs an act when something has ended. */
function useEnd(isGoingOn: boolean, onEnd: () => void) {
  const was = useRef(false);
  // biome-ignore lint/correctness/useExhaustiveDependencies: once for each end
  useEffect(() => {
    if (was.current && !isGoingOn) onEnd();
    was.current = isGoingOn;
  }, [isGoingOn]);
}
