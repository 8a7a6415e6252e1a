import { createContext, lazy, type ReactNode, Suspense, useContext, useMemo, useState } from 'react';

export interface ToastMessage {
  id: number;
  text: string;
}

const ToastContext = createContext<(text: string) => void>(() => undefined);
const ToastList = lazy(async () => ({ default: (await import('./toast-list.tsx')).ToastList }));

/** Says in passing that something was done: `say('The key was revoked.')`. */
export const useToast = () => useContext(ToastContext);

/** What shows messages is loaded with the first of them. */
export function ToastProvider({ children }: { children: ReactNode }) {
  const [messages, setMessages] = useState<readonly ToastMessage[]>([]);
  const [hasSpoken, setHasSpoken] = useState(false);
  const say = useMemo(() => {
    let lastId = 0;
    return (text: string) => {
      lastId += 1;
      const id = lastId;
      setHasSpoken(true);
      setMessages((shown) => [...shown, { id, text }]);
    };
  }, []);
  return (
    <ToastContext value={say}>
      {children}
      {hasSpoken && (
        <Suspense>
          <ToastList
            messages={messages}
            onClosed={(closed) => setMessages((shown) => shown.filter(({ id }) => id !== closed))}
          />
        </Suspense>
      )}
    </ToastContext>
  );
}
