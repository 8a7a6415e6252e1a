import { HamburgerMenuIcon } from '@radix-ui/react-icons';
import { Outlet, useLocation } from '@tanstack/react-router';
import { lazy, Suspense, useEffect, useState } from 'react';
import { OfflineBanner } from '../../layout/offline-banner.tsx';
import { WordmarkPicture } from '../../layout/wordmark.tsx';
import { zoneName } from '../../ui/formats.ts';
import { useSession } from '../api/use-session.ts';
import { OperatorNavigation } from './operator-navigation.tsx';
import { SessionEnd } from './session-end.tsx';
import { SignOutButton } from './sign-out-button.tsx';

// For phones only.
const Drawer = lazy(async () => ({ default: (await import('../../layout/drawer.tsx')).Drawer }));

/** The frame of every page: a dark band with the navigation, unlike the portal of an organization. */
export function OperatorShell() {
  const { pathname } = useLocation();
  const { service } = useSession();
  const [isMenuOpen, setIsMenuOpen] = useState(false);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the menu closes when the page changes
  useEffect(() => setIsMenuOpen(false), [pathname]);
  return (
    <div className="min-h-dvh">
      <a
        href="#content"
        className="sr-only rounded-lg bg-surface px-4 py-2 focus:not-sr-only focus:absolute focus:top-2 focus:left-2 focus:z-50"
      >
        Skip to content
      </a>
      <header className="sticky top-0 z-30 bg-band text-on-band **:focus-visible:outline-on-band print:hidden">
        <div className="mx-auto flex max-w-6xl items-center justify-between gap-x-4 px-4 pt-2.5 pb-2 sm:px-8">
          <p className="flex min-w-0 items-center gap-3">
            <OperatorMark />
            <span className="hidden truncate text-sm text-on-band-soft md:inline">{hostOf(service.public_url)}</span>
          </p>
          <div className="flex min-w-0 items-center gap-3">
            <SessionEnd />
            <SignOutButton />
            <MenuButton isOpen={isMenuOpen} onOpen={() => setIsMenuOpen(true)} />
          </div>
        </div>
        <div className="mx-auto hidden max-w-6xl px-5 lg:block">
          <OperatorNavigation isInBand />
        </div>
      </header>
      {isMenuOpen && (
        <Suspense>
          <Drawer onClose={() => setIsMenuOpen(false)}>
            <OperatorNavigation />
          </Drawer>
        </Suspense>
      )}
      <OfflineBanner />
      <main id="content" tabIndex={-1} className="outline-none">
        <Outlet />
      </main>
      <footer className="mx-auto w-full max-w-6xl px-4 pb-8 text-sm text-soft sm:px-8">
        Times are in {zoneName()}
        {zoneName() !== 'UTC' && ', unless they say UTC'}. All changes and looks at recipients’ data are in the log.
      </footer>
    </div>
  );
}

/** The wordmark, and that this is no organization's portal. */
export const OperatorMark = () => (
  <>
    <span className="hidden shrink-0 sm:block [&_path.fill-accent]:fill-current">
      <WordmarkPicture />
    </span>
    <span className="sr-only">Bestow</span>
    <span className="rounded-md bg-on-band px-2 py-0.5 text-sm leading-5 font-semibold text-band">Operator</span>
  </>
);

/** Which service this is, because an operator may have several open. */
const hostOf = (url: string) => (URL.canParse(url) ? new URL(url).host : url);

function MenuButton({ isOpen, onOpen }: { isOpen: boolean; onOpen: () => void }) {
  return (
    <button
      type="button"
      aria-haspopup="dialog"
      aria-expanded={isOpen}
      onClick={onOpen}
      className="-mr-2 rounded-full p-2 hover:bg-band-raised lg:hidden"
    >
      <HamburgerMenuIcon aria-hidden className="size-5" />
      <span className="sr-only">Menu</span>
    </button>
  );
}
