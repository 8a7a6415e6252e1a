import { getRouteApi, useNavigate, useRouter } from '@tanstack/react-router';
import { useRef } from 'react';
import { useScope } from '../../api/use-scope.ts';

export type Step = 'file' | 'letters' | 'columns' | 'rows' | 'review';

const route = getRouteApi('/signed-in/$organizationId/$environment/gifts/send-many');

/** The step of the address, and the ways to others. */
export function useStep() {
  const { params } = useScope();
  const { step } = route.useSearch();
  const navigate = useNavigate();
  const router = useRouter();
  /** Steps that this page added to the history. */
  const added = useRef<Step[]>([]);
  const goTo = (next: Step | undefined) => {
    // Corrected rows are no step any more, and neither is a question that was answered.
    const replace = next === undefined || step === next || step === 'rows' || step === 'letters';
    if (!replace) added.current.push(next);
    void navigate({
      to: '/$organizationId/$environment/gifts/send-many',
      params,
      search: next === undefined ? {} : { step: next },
      replace,
    });
  };
  const goBack = (to: 'columns' | undefined) => {
    if (added.current.pop() === undefined) goTo(to);
    else router.history.back();
  };
  return { step, goTo, goBack };
}
