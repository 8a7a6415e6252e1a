import { useQueryClient } from '@tanstack/react-query';
import { lazy, Suspense, useEffect, useState } from 'react';
import { type Reason, setConfirmation } from '../api/fresh-sign-in.ts';
import { meQuery } from '../api/me.ts';

const ConfirmationDialog = lazy(async () => ({
  default: (await import('./confirmation-dialog.tsx')).ConfirmationDialog,
}));

interface Question {
  reason: Reason;
  answer: (isDone: boolean) => void;
}

/** Opens the sign-in above the page when a request needs one. Before the first sign-in, that is a page of its own. */
export function ConfirmationGate() {
  const [question, setQuestion] = useState<Question>();
  const queryClient = useQueryClient();
  useEffect(
    () =>
      setConfirmation((reason) =>
        queryClient.getQueryData(meQuery.queryKey) === undefined
          ? Promise.resolve(false)
          : new Promise((answer) => setQuestion({ reason, answer })),
      ),
    [queryClient],
  );
  if (question === undefined) return null;
  const close = (isDone: boolean) => {
    setQuestion(undefined);
    question.answer(isDone);
  };
  return (
    <Suspense>
      <ConfirmationDialog reason={question.reason} onClose={close} />
    </Suspense>
  );
}
