import { type QueryKey, useQueryClient } from '@tanstack/react-query';
import { type ComponentType, Suspense, useEffect, useState } from 'react';
import { type Reason, setConfirmation } from '../api/fresh-sign-in.ts';

interface Question {
  reason: Reason;
  answer: (isDone: boolean) => void;
}

interface SignInGateProps {
  /** The key of the query that knows who has signed in. */
  signedIn: QueryKey;
  dialog: ComponentType<{ reason: Reason; onClose: (isDone: boolean) => void }>;
}

/** Opens the sign-in above the page when a request needs one. Before the first sign-in, that is a page of its own. */
export function SignInGate({ signedIn, dialog: ConfirmationDialog }: SignInGateProps) {
  const [question, setQuestion] = useState<Question>();
  const queryClient = useQueryClient();
  useEffect(
    () =>
      setConfirmation((reason) =>
        queryClient.getQueryData(signedIn) === undefined
          ? Promise.resolve(false)
          : new Promise((answer) => setQuestion({ reason, answer })),
      ),
    [queryClient, signedIn],
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
