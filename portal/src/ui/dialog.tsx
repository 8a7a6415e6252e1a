import { Cross2Icon } from '@radix-ui/react-icons';
import { useBlocker } from '@tanstack/react-router';
import { Dialog as Radix } from 'radix-ui';
import { type ReactNode, useEffect, useRef, useState } from 'react';
import { Button } from './button.tsx';

/** Longer than a double click takes. */
const NOT_YET_MS = 1_000;

interface DialogProps {
  isOpen: boolean;
  onClose: () => void;
  title: string;
  /** One or two sentences below the title. */
  description?: ReactNode;
  /** Only the content's buttons close the dialog, because it shows a secret once. Blocks Escape, “back” and reloading. */
  isHeld?: boolean;
  children: ReactNode;
}

const always = () => true;

/** The first field, else the first button below the title: never “Close”, which Enter would press. */
function firstChoice(body: HTMLElement | null): HTMLElement | undefined {
  const enabled = (names: readonly string[]) => names.map((name) => `${name}:not(:disabled)`).join(', ');
  const find = (...names: string[]) => body?.querySelector<HTMLElement>(enabled(names)) ?? undefined;
  return find('input', 'select', 'textarea') ?? find('button', 'a[href]');
}

/** A modal dialog. When it closes, the focus returns to the element that opened it, or to the page's content. */
export function Dialog({ isOpen, onClose, title, description, isHeld = false, children }: DialogProps) {
  const opener = useRef<Element>(null);
  const body = useRef<HTMLDivElement>(null);
  useBlocker({ shouldBlockFn: always, disabled: !(isOpen && isHeld) });
  return (
    <Radix.Root open={isOpen} onOpenChange={(open) => !open && !isHeld && onClose()}>
      <Radix.Portal>
        <Radix.Overlay className="fixed inset-0 z-50 bg-[rgb(30_15_20/0.45)]" />
        <Radix.Content
          {...(description === undefined ? { 'aria-describedby': undefined } : {})}
          onEscapeKeyDown={(event) => {
            // Escape closes an open list of suggestions before the dialog.
            if (event.target instanceof Element && event.target.matches('[data-suggests]')) event.preventDefault();
          }}
          onOpenAutoFocus={(event) => {
            opener.current = document.activeElement;
            const choice = firstChoice(body.current);
            if (choice === undefined) return;
            event.preventDefault();
            choice.focus();
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
          <div ref={body} className="mt-5">
            {children}
          </div>
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  );
}

/** The buttons at the bottom of a dialog. */
export function DialogActions({ children }: { children: ReactNode }) {
  return <div className="mt-6 flex flex-wrap justify-end gap-3">{children}</div>;
}

/** Closes a held dialog. Ignores the second click of a double click on the button that was there before. */
export function SavedButton({ onClick }: { onClick: () => void }) {
  const [isReady, setIsReady] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setIsReady(true), NOT_YET_MS);
    return () => clearTimeout(timer);
  }, []);
  return (
    <Button variant="primary" size="small" onClick={onClick} disabled={!isReady}>
      I’ve saved it
    </Button>
  );
}
