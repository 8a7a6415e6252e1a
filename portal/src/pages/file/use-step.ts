import { useNavigate, useRouter, useSearch } from '@tanstack/react-router';
import { useRef } from 'react';

export type Step = 'file' | 'letters' | 'columns' | 'rows' | 'review';

/** The step of the address, and the ways to others. */
export function useStep() {
  const { step }: { step?: string } = useSearch({ strict: false });
  const navigate = useNavigate();
  const router = useRouter();
  /** Steps that this page added to the history. */
  const added = useRef<Step[]>([]);
  const goTo = (next: Step | undefined) => {
    // Corrected rows are no step any more, and neither is a question that was answered.
    const replace = next === undefined || step === next || step === 'rows' || step === 'letters';
    if (!replace) added.current.push(next);
    void navigate({ to: '.', search: next === undefined ? {} : { step: next }, replace });
  };
  const goBack = (to: 'columns' | undefined) => {
    if (added.current.pop() === undefined) goTo(to);
    else router.history.back();
  };
  return { step, goTo, goBack };
}
