import { MagnifyingGlassIcon } from '@radix-ui/react-icons';
import { useNavigate } from '@tanstack/react-router';
import { lazy, Suspense, useEffect, useState } from 'react';
import { useScope } from '../api/use-scope.ts';
import { usePages } from './plan.ts';
import { areKeysOn } from './shortcut-keys.ts';

const loadPalette = () => import('./palette.tsx');
const preload = () => void loadPalette().catch(() => undefined);
const Palette = lazy(async () => ({ default: (await loadPalette()).Palette }));
const ShortcutHelp = lazy(async () => ({ default: (await import('./shortcut-help.tsx')).ShortcutHelp }));

/** The time for the second key after `g`. */
const SEQUENCE_MS = 1_500;

const isTyping = (target: EventTarget | null) =>
  target instanceof HTMLElement && (target.isContentEditable || target.matches('input, textarea, select'));
const isDialogOpen = () => document.querySelector('[role=dialog], dialog[open]') !== null;

/** Ctrl-K, and single keys outside of fields, which the person can turn off. The dialogs load when they are first opened. */
export function Shortcuts() {
  const { params, includes } = useScope();
  const pages = usePages();
  const maySend = includes('order', 'request');
  const navigate = useNavigate();
  const [shown, setShown] = useState<'palette' | 'help'>();

  useEffect(() => {
    let goUntilMs = 0;
    const goTo = (key: string) => {
      const page = pages.find((one) => 'key' in one && one.key === key);
      if (page !== undefined) void navigate({ to: page.to, params });
      return page !== undefined;
    };
    const press = (event: KeyboardEvent) => {
      const { key, timeStamp } = event;
      if ((event.ctrlKey || event.metaKey) && !event.altKey && key.toLowerCase() === 'k') {
        event.preventDefault();
        if (!isDialogOpen()) setShown('palette');
        return;
      }
      if (event.ctrlKey || event.metaKey || event.altKey || isTyping(event.target) || isDialogOpen() || !areKeysOn())
        return;
      const isSecond = timeStamp < goUntilMs;
      goUntilMs = 0;
      if (isSecond && goTo(key)) return;
      if (key === 'g') goUntilMs = timeStamp + SEQUENCE_MS;
      if (key === '?') setShown('help');
      if (key === 'c' && maySend) void navigate({ to: '/$organizationId/$environment/gifts/send', params });
      const search = key === '/' ? document.querySelector<HTMLElement>('#content input[type=search]') : null;
      if (search !== null) {
        event.preventDefault();
        search.focus();
      }
    };
    document.addEventListener('keydown', press);
    return () => document.removeEventListener('keydown', press);
  }, [navigate, params, pages, maySend]);

  const close = () => setShown(undefined);
  return (
    <>
      <button
        type="button"
        onClick={() => setShown('palette')}
        onPointerEnter={preload}
        onFocus={preload}
        aria-haspopup="dialog"
        aria-keyshortcuts="Control+K"
        title="Search (Ctrl K)"
        className="inline-flex items-center gap-1.5 rounded-full p-2 text-sm font-semibold hover:bg-[rgb(120_90_90/0.14)] sm:px-3 sm:py-1.5"
      >
        <MagnifyingGlassIcon aria-hidden className="size-4.5" />
        <span className="max-sm:sr-only">Search</span>
      </button>
      <Suspense>
        {shown === 'palette' && <Palette onClose={close} onHelp={() => setShown('help')} />}
        {shown === 'help' && <ShortcutHelp onClose={close} />}
      </Suspense>
    </>
  );
}
