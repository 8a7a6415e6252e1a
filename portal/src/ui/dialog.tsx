import { Cross2Icon } from '@radix-ui/react-icons';
import { Dialog as Radix } from 'radix-ui';
import { type ReactNode, useRef } from 'react';

interface DialogProps {
  isOpen: boolean;
  onClose: () => void;
  title: string;
  /** One or two sentences below the title: what this does. */
  description?: ReactNode;
  children: ReactNode;
}

/**
 * A dialog in the middle of the page; on a phone it takes the width. Escape and a press beside it close it. The focus then
 * goes back to where it was, or to the page's content where that is gone.
 */
export function Dialog({ isOpen, onClose, title, description, children }: DialogProps) {
  const opener = useRef<Element>(null);
  return (
    <Radix.Root open={isOpen} onOpenChange={(open) => !open && onClose()}>
      <Radix.Portal>
        <Radix.Overlay className="fixed inset-0 z-40 bg-[rgb(30_15_20/0.45)]" />
        <Radix.Content
          {...(description === undefined ? { 'aria-describedby': undefined } : {})}
          onOpenAutoFocus={() => {
            opener.current = document.activeElement;
          }}
          onCloseAutoFocus={(event) => {
            event.preventDefault();
            const focused = opener.current?.isConnected ? opener.current : document.getElementById('content');
            if (focused instanceof HTMLElement) focused.focus();
          }}
          className="fixed top-1/2 left-1/2 z-50 max-h-[calc(100dvh-2rem)] w-[min(32rem,calc(100vw-2rem))] -translate-x-1/2 -translate-y-1/2 overflow-y-auto rounded-2xl border border-line bg-surface p-6 shadow-soft"
        >
          <div className="flex items-start justify-between gap-4">
            <Radix.Title className="text-xl leading-7">{title}</Radix.Title>
            <Radix.Close aria-label="Close" className="-m-2 rounded-full p-2 text-soft hover:bg-sunken hover:text-ink">
              <Cross2Icon aria-hidden className="size-5" />
            </Radix.Close>
          </div>
          {description !== undefined && (
            <Radix.Description asChild>
              <div className="mt-2 text-soft">{description}</div>
            </Radix.Description>
          )}
          <div className="mt-5">{children}</div>
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  );
}

/** The buttons at the end of a dialog. */
export function DialogActions({ children }: { children: ReactNode }) {
  return <div className="mt-6 flex flex-wrap justify-end gap-3">{children}</div>;
}
