import { HamburgerMenuIcon } from '@radix-ui/react-icons';
import { Outlet, useLocation } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import { AccountMenu } from './account-menu.tsx';
import { ModeSwitch } from './mode-switch.tsx';
import { Navigation } from './navigation.tsx';
import { rememberScope } from './remembered-scope.ts';
import { SandboxGate } from './sandbox-gate.tsx';
import { useScope } from './use-scope.ts';
import { Wordmark } from './wordmark.tsx';

/** The frame of every organization page: navigation, mode switch and account menu. */
export function Shell() {
  const { membership, environment, params } = useScope();
  const { pathname } = useLocation();
  const [isMenuOpen, setIsMenuOpen] = useState(false);
  useEffect(
    () => rememberScope({ organizationId: membership.organization_id, environment }),
    [membership, environment],
  );
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
      <div className="mx-auto grid max-w-[96rem] lg:grid-cols-[15.5rem_1fr]">
        <aside className="print:hidden lg:sticky lg:top-0 lg:h-dvh lg:overflow-y-auto lg:border-r lg:border-line">
          <div className="flex items-center justify-between px-4 py-3 lg:px-6 lg:pt-6 lg:pb-2">
            <Wordmark />
            <MenuButton isOpen={isMenuOpen} onToggle={() => setIsMenuOpen(!isMenuOpen)} />
          </div>
          <div
            id="navigation"
            className={`${isMenuOpen ? 'block' : 'hidden'} border-b border-line px-2 pb-4 lg:block lg:border-0 lg:px-3`}
          >
            <Navigation params={params} isSandbox={isSandbox} />
          </div>
        </aside>
        <div className="min-w-0">
          <header
            className={`print:hidden sticky top-0 z-30 flex items-center justify-between gap-3 border-b px-4 py-2.5 sm:px-8 ${isSandbox ? 'border-sandbox bg-sandbox text-on-sandbox **:focus-visible:outline-on-sandbox' : 'border-line bg-paper'}`}
          >
            <ModeSwitch />
            <AccountMenu />
          </header>
          <Notices />
          <main id="content" tabIndex={-1} className="outline-none">
            {/* The key remounts the page, so that no list or open dialog survives a change of the mode. */}
            <SandboxGate key={`${membership.organization_id}/${environment}`}>
              <Outlet />
            </SandboxGate>
          </main>
        </div>
      </div>
    </div>
  );
}

/** Opens the navigation on phones. */
function MenuButton({ isOpen, onToggle }: { isOpen: boolean; onToggle: () => void }) {
  return (
    <button
      type="button"
      aria-expanded={isOpen}
      aria-controls="navigation"
      onClick={onToggle}
      className="-mr-2 rounded-full p-2 hover:bg-sunken lg:hidden"
    >
      <HamburgerMenuIcon aria-hidden className="size-5" />
      <span className="sr-only">Menu</span>
    </button>
  );
}

/** Says what the person cannot do here. */
function Notices() {
  const { membership, isAdmin } = useScope();
  return (
    <>
      {membership.is_suspended && (
        <p role="status" className="border-b border-bad/30 bg-bad-wash px-4 py-3 text-bad sm:px-8">
          <strong>{membership.organization_name} is suspended.</strong> API requests are refused. You can view every
          page, but the only change that admins can make is to revoke keys. Recipients can still claim their gifts.
          Contact the operator of this service.
        </p>
      )}
      {!isAdmin && (
        <p className="print:hidden border-b border-line bg-sunken px-4 py-2 text-sm text-soft sm:px-8">
          You can view everything here. Only admins can make changes.
        </p>
      )}
    </>
  );
}
