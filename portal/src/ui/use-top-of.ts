import { useEffect, useRef } from 'react';

/** Each step begins at its top. */
export function useTopOf(step: string) {
  const top = useRef<HTMLDivElement>(null);
  const wasShown = useRef(false);
  // biome-ignore lint/correctness/useExhaustiveDependencies: each step begins at its top
  useEffect(() => {
    if (wasShown.current) top.current?.focus();
    wasShown.current = true;
  }, [step]);
  return top;
}
