import { Cross2Icon } from '@radix-ui/react-icons';
import { type ReactNode, useEffect, useRef } from 'react';

/** Holds the navigation on phones, over the page. A native modal keeps the focus inside and closes with Escape. */
export function Drawer({ onClose, children }: { onClose: () => void; children: ReactNode }) {
  const drawer = useRef<HTMLDialogElement>(null);
  useEffect(() => {
    drawer.current?.showModal();
    // A turned tablet shows the navigation beside the page; a modal that is out of sight would block both.
    const isWide = window.matchMedia('(min-width: 64rem)');
    const close = () => drawer.current?.close();
    isWide.addEventListener('change', close);
    return () => isWide.removeEventListener('change', close);
  }, []);
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: Escape closes a dialog
    <dialog
      ref={drawer}
      aria-label="Menu"
      onClose={onClose}
      // The dialog itself is hit only beside its content.
      onClick={({ target }) => target === drawer.current && drawer.current?.close()}
      className="m-0 h-dvh max-h-none w-72 max-w-[85vw] overflow-y-auto border-r border-line bg-paper text-ink shadow-soft backdrop:bg-[rgb(30_15_20/0.45)] lg:hidden"
    >
      <div className="min-h-full px-3 pt-3 pb-6">
        <div className="flex justify-end">
          <button
            type="button"
            onClick={() => drawer.current?.close()}
            className="rounded-full p-2 text-soft hover:bg-sunken hover:text-ink"
          >
            <Cross2Icon aria-hidden className="size-5" />
            <span className="sr-only">Close menu</span>
          </button>
        </div>
        {children}
      </div>
    </dialog>
  );
}
