import { lazy, Suspense, useEffect, useState } from 'react';
import { setConfirmation } from '../api/fresh-sign-in.ts';

const ConfirmationDialog = lazy(async () => ({
  default: (await import('./confirmation-dialog.tsx')).ConfirmationDialog,
}));

/** Opens the confirmation above the page when a request needs one. */
export function ConfirmationGate() {
  const [answer, setAnswer] = useState<(isConfirmed: boolean) => void>();
  useEffect(() => setConfirmation(() => new Promise((resolve) => setAnswer(() => resolve))), []);
  if (answer === undefined) return null;
  const close = (isConfirmed: boolean) => {
    setAnswer(undefined);
    answer(isConfirmed);
  };
  return (
    <Suspense>
      <ConfirmationDialog onClose={close} />
    </Suspense>
  );
}
