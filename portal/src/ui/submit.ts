import type { FormEvent } from 'react';

/** Runs an act in place of the browser's own submission. */
export const submit = (act: () => void) => (event: FormEvent) => {
  event.preventDefault();
  act();
};
