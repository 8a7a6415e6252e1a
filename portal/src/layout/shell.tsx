import { HamburgerMenuIcon } from '@radix-ui/react-icons';
import { Outlet, useLocation } from '@tanstack/react-router';
import { lazy, Suspense, useEffect, useState } from 'react';
import { useScope } from '../api/use-scope.ts';
import { zoneName } from '../ui/formats.ts';
import { AccountMenu } from './account-menu.tsx';
import { ModeSwitch } from './mode-switch.tsx';
import { Navigation, SendLink } from './navigation.tsx';
import { NoticesGate } from './notices-gate.tsx';
import { OfflineBanner } from './offline-banner.tsx';
import { rememberScope } from './remembered-scope.ts';
import { RoleGate } from './role-gate.tsx';
import { SandboxGate } from './sandbox-gate.tsx';
import { SectionTabs } from './section-tabs.tsx';
import { Shortcuts } from './shortcuts.tsx';
import { Wordmark } from './wordmark.tsx';

// For phones only.
const Drawer = lazy(async () => ({ default: (await import('./drawer.tsx')).Drawer }));

/** The frame of every organization page: navigation, mode switch and account menu. */
export function Shell() {
  const { organizationId, environment } = useScope();
  const { pathname } = useLocation();
  const [isMenuOpen, setIsMenuOpen] = useState(false);
  useEffect(() => rememberScope({ organizationId, environment }), [organizationId, environment]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the menu closes when the page changes
  useEffect(() => setIsMenuOpen(false), [pathname]);
  const isSandbox = environment === 'sandbox';

  return (
    <div className={`min-h-dvh ${isSandbox ? 'border-t-6 border-sandbox' : 'border-t-6 border-accent'} print:border-0`}>
      <a
        href="#content"
        className="sr-only rounded-lg bg-surface px-4 py-2 focus:not-sr-only focus:absolute focus:top-2 focus:left-2 focus:z-50"
      >
        Skip to content
      </a>
      <div className="mx-auto grid max-w-[96rem] lg:grid-cols-[15.5rem_1fr] print:block">
        <aside className="print:hidden lg:sticky lg:top-0 lg:h-dvh lg:overflow-y-auto lg:border-r lg:border-line">
          <div className="flex items-center justify-between gap-3 px-4 py-3 lg:px-6 lg:pt-6 lg:pb-4">
            <Wordmark />
            <span className="ml-auto lg:hidden">
              <SendLink />
            </span>
            <MenuButton isOpen={isMenuOpen} onOpen={() => setIsMenuOpen(true)} />
          </div>
          <div className="hidden px-3 pb-4 lg:block">
            <Navigation />
          </div>
          {isMenuOpen && (
            <Suspense>
              <Drawer onClose={() => setIsMenuOpen(false)}>
                <Navigation />
              </Drawer>
            </Suspense>
          )}
        </aside>
        <div className="min-w-0">
          <header
            className={`print:hidden sticky top-0 z-30 flex items-center justify-between gap-3 border-b px-4 py-2.5 sm:px-8 ${isSandbox ? 'border-sandbox bg-sandbox text-on-sandbox **:focus-visible:outline-on-sandbox' : 'border-line bg-paper'}`}
          >
            <ModeSwitch />
            <div className="flex min-w-0 items-center gap-1">
              <Shortcuts />
              <AccountMenu />
            </div>
          </header>
          <OfflineBanner />
          <NoticesGate />
          <SectionTabs />
          <main id="content" tabIndex={-1} className="outline-none">
            {/* The key remounts the page, so that no list or open dialog survives a change of the mode. */}
            <SandboxGate key={`${organizationId}/${environment}`}>
              <RoleGate>
                <Outlet />
              </RoleGate>
            </SandboxGate>
          </main>
          <Zone />
        </div>
      </div>
    </div>
  );
}

const Zone = () => (
  <footer className="mx-auto w-full max-w-6xl px-4 pb-8 text-sm text-soft sm:px-8">
    Times are in {zoneName()}
    {zoneName() !== 'UTC' && ', unless they say UTC'}.
  </footer>
);

/** Opens the navigation on phones. */
function MenuButton({ isOpen, onOpen }: { isOpen: boolean; onOpen: () => void }) {
  return (
    <button
      type="button"
      aria-haspopup="dialog"
      aria-expanded={isOpen}
      onClick={onOpen}
      className="-mr-2 rounded-full p-2 hover:bg-sunken lg:hidden"
    >
      <HamburgerMenuIcon aria-hidden className="size-5" />
      <span className="sr-only">Menu</span>
    </button>
  );
}
