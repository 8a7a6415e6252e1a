import { Link, useMatches } from '@tanstack/react-router';
import { useScope } from '../api/use-scope.ts';

const modes = [
  { environment: 'live', label: 'Live' },
  { environment: 'sandbox', label: 'Sandbox' },
] as const;

/** A gift, order or request exists in one mode only, so the switch leads to the list. */
const listOf: Record<string, string> = {
  '/gifts/$giftId': '/gifts',
  '/gifts/requests/$requestId': '/gifts/requests',
  '/orders/$orderId': '/orders',
  '/requests/$requestId': '/requests',
};

const PREFIX = '/$organizationId/$environment';

/** Switches the whole portal between Live and Sandbox. */
export function ModeSwitch() {
  const { me, organizationId, environment } = useScope();
  const fullPath = useMatches({ select: (matches) => matches.at(-1)?.fullPath ?? PREFIX });
  const page = fullPath.startsWith(PREFIX) ? fullPath.slice(PREFIX.length).replace(/\/$/, '') : '';
  const target = `${PREFIX}${listOf[page] ?? page}`;
  const isSandbox = environment === 'sandbox';
  return (
    <div className="flex shrink-0 items-center gap-3">
      <nav
        aria-label="Mode"
        className={`inline-flex rounded-full p-0.5 ${isSandbox ? 'bg-on-sandbox/15' : 'bg-sunken'}`}
      >
        {modes
          .filter((mode) => me.service.environments.includes(mode.environment))
          .map((mode) => {
            const isCurrent = mode.environment === environment;
            return (
              <Link
                key={mode.environment}
                to={target}
                params={(current: object) => ({ ...current, organizationId, environment: mode.environment })}
                search={{}}
                aria-current={isCurrent ? 'true' : undefined}
                className={`rounded-full px-4 py-1 text-sm leading-6 font-semibold ${
                  isCurrent
                    ? isSandbox
                      ? 'bg-on-sandbox text-sandbox'
                      : 'bg-accent text-on-accent'
                    : isSandbox
                      ? 'text-on-sandbox hover:bg-on-sandbox/10'
                      : 'text-soft hover:text-ink'
                }`}
              >
                {mode.label}
              </Link>
            );
          })}
      </nav>
      {isSandbox && (
        <p className="hidden text-sm font-semibold sm:block">Test data. No money moves and no messages are sent.</p>
      )}
    </div>
  );
}
