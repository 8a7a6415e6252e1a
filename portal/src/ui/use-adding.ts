import { useNavigate, useSearch } from '@tanstack/react-router';

/**
 * A dialog that the address opens, with `?add=…`, so that other pages and the search lead to it.
 * @param thing that it adds, such as `contact`
 */
export function useAdding(thing: string) {
  const { add } = useSearch({ strict: false });
  const navigate = useNavigate();
  // A dialog that is held blocks every way out but its own.
  const open = (added: { add?: string }) =>
    void navigate({
      to: '.',
      search: ({ add: _, ...others }) => ({ ...others, ...added }),
      replace: true,
      ignoreBlocker: true,
    });
  return { isAdding: add === thing, begin: () => open({ add: thing }), end: () => open({}) };
}
