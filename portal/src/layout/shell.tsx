import { HamburgerMenuIcon } from '@radix-ui/react-icons';
import { Outlet, useLocation } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import { AccountMenu } from './account-menu.tsx';
import { ModeSwitch } from './mode-switch.tsx';
import { Navigation } from './navigation.tsx';
import { rememberPlace } from './remembered-place.ts';
import { SandboxGate } from './sandbox-gate.tsx';
import { usePlace } from './use-place.ts';
import { Wordmark } from './wordmark.tsx';

/** What stands around every page of an organization: where one is, in which mode, and as whom. */
export function Shell() {
  const { membership, environment, params, isAdmin } = usePlace();
  const { pathname } = useLocation();
  const [isMenuOpen, setIsMenuOpen] = useState(false);
  useEffect(
    () => rememberPlace({ organizationId: membership.organization_id, environment }),
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
        Skip to the content
      </a>
      <div className="mx-auto grid max-w-[96rem] lg:grid-cols-[15.5rem_1fr]">
        <aside className="print:hidden lg:sticky lg:top-0 lg:h-dvh lg:overflow-y-auto lg:border-r lg:border-line">
          <div className="flex items-center justify-between px-4 py-3 lg:px-6 lg:pt-6 lg:pb-2">
            <Wordmark />
            <button
              type="button"
              aria-expanded={isMenuOpen}
              aria-controls="navigation"
              onClick={() => setIsMenuOpen(!isMenuOpen)}
              className="-mr-2 rounded-full p-2 hover:bg-sunken lg:hidden"
            >
              <HamburgerMenuIcon aria-hidden className="size-5" />
              <span className="sr-only">Menu</span>
            </button>
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
          {membership.is_suspended && (
            <p role="status" className="border-b border-bad/30 bg-bad-wash px-4 py-3 text-bad sm:px-8">
              <strong>{membership.organization_name} is suspended.</strong> Its keys are refused. Its pages can be read,
              and nothing can be changed, but admins can revoke keys. Gifts that were bought can still be claimed.
              Contact whoever runs this service.
            </p>
          )}
          {!isAdmin && (
            <p className="print:hidden border-b border-line bg-sunken px-4 py-2 text-sm text-soft sm:px-8">
              You can see everything here. Changes are made by admins.
            </p>
          )}
          <main id="content" tabIndex={-1} className="outline-none">
            {/* Anew for each mode: nothing that a page shows or asks is carried over into the other. */}
            <SandboxGate key={`${membership.organization_id}/${environment}`}>
              <Outlet />
            </SandboxGate>
          </main>
        </div>
      </div>
    </div>
  );
}
