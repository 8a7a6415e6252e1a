import { createContext, type ReactNode, useContext, useEffect, useMemo, useState } from 'react';

const SHOWN_MS = 5_000;

const ToastContext = createContext<(text: string) => void>(() => undefined);

/** Shows a short message: `showToast('Key revoked.')`. */
export const useToast = () => useContext(ToastContext);

let showAnywhere: (text: string) => void = () => undefined;

/** Shows a short message from outside of a component. */
export const announce = (text: string) => showAnywhere(text);

/** Part of the first bundle, because toasts also report that the server cannot be reached. */
export function ToastProvider({ children }: { children: ReactNode }) {
  const [messages, setMessages] = useState<readonly { id: number; text: string }[]>([]);
  const show = useMemo(() => {
    let lastId = 0;
    return (text: string) => {
      lastId += 1;
      const id = lastId;
      setMessages((shown) => [...shown, { id, text }]);
      setTimeout(() => setMessages((shown) => shown.filter((one) => one.id !== id)), SHOWN_MS);
    };
  }, []);
  useEffect(() => {
    showAnywhere = show;
  }, [show]);
  return (
    <ToastContext value={show}>
      {children}
      {/* An explicit `aria-live` is announced even while a dialog hides the rest of the page from screen readers. */}
      <div
        role="status"
        aria-live="polite"
        aria-atomic="false"
        className="pointer-events-none fixed right-4 bottom-4 left-4 z-60 grid justify-items-end gap-2 sm:left-auto print:hidden"
      >
        {messages.map(({ id, text }) => (
          <p key={id} className="rounded-xl bg-ink px-4 py-3 font-semibold text-paper shadow-soft">
            {text}
          </p>
        ))}
      </div>
    </ToastContext>
  );
}
