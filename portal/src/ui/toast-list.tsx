import { Toast as Radix } from 'radix-ui';
import type { ToastMessage } from './toast.tsx';

const SHOWN_MS = 5_000;

interface ToastListProps {
  messages: readonly ToastMessage[];
  onClosed: (id: number) => void;
}

export function ToastList({ messages, onClosed }: ToastListProps) {
  return (
    <Radix.Provider duration={SHOWN_MS} label="Message">
      {messages.map(({ id, text }) => (
        <Radix.Root
          key={id}
          onOpenChange={(isOpen) => !isOpen && onClosed(id)}
          className="rounded-xl bg-ink px-4 py-3 font-semibold text-paper shadow-soft"
        >
          <Radix.Description>{text}</Radix.Description>
        </Radix.Root>
      ))}
      <Radix.Viewport className="fixed right-4 bottom-4 left-4 z-60 grid justify-items-end gap-2 outline-none sm:left-auto" />
    </Radix.Provider>
  );
}
