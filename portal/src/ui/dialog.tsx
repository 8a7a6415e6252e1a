import { Cross2Icon } from '@radix-ui/react-icons';
import { useBlocker } from '@tanstack/react-router';
import { Dialog as Radix } from 'radix-ui';
import { type ReactNode, useEffect, useRef, useState } from 'react';
import { Button } from './button.tsx';

/** Longer than a double click takes, and sooner than anybody has kept what they see. */
const NOT_YET_MS = 1_000;

interface DialogProps {
  isOpen: boolean;
  onClose: () => void;
  title: string;
  /** One or two sentences below the title: what this does. */
  description?: ReactNode;
  /**
   * Only the content's own buttons close it: a secret that is shown this once, or about to be, would be gone for good. The
   * way back, on a phone the gesture that closes dialogs, leads nowhere; the browser asks before the page is left.
   */
  isHeld?: boolean;
  children: ReactNode;
}

const always = () => true;

/**
 * A dialog in the middle of the page; on a phone it takes the width. Escape and a press beside it close it unless it is held.
 * The focus then goes back to where it was, or to the page's content where that is gone.
 */
export function Dialog({ isOpen, onClose, title, description, isHeld = false, children }: DialogProps) {
  const opener = useRef<Element>(null);
  useBlocker({ shouldBlockFn: always, disabled: !(isOpen && isHeld) });
  return (
    <Radix.Root open={isOpen} onOpenChange={(open) => !open && !isHeld && onClose()}>
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
            {!isHeld && (
              <Radix.Close
                aria-label="Close"
                className="-m-2 rounded-full p-2 text-soft hover:bg-sunken hover:text-ink"
              >
                <Cross2Icon aria-hidden className="size-5" />
              </Radix.Close>
            )}
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

/** Closes a held dialog; not by the second click of a double click that was meant for the button in this place before. */
export function KeptButton({ onClick }: { onClick: () => void }) {
  const [isReady, setIsReady] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setIsReady(true), NOT_YET_MS);
    return () => clearTimeout(timer);
  }, []);
  return (
    <Button variant="primary" size="small" onClick={onClick} disabled={!isReady}>
      I have kept it
    </Button>
  );
}
