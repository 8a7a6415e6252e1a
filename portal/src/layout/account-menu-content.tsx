import { CheckIcon } from '@radix-ui/react-icons';
import { useQueryClient } from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import { DropdownMenu } from 'radix-ui';
import { signOut } from '../api/sign-in.ts';
import { useScope } from '../api/use-scope.ts';
import { useToast } from '../ui/toast.tsx';
import { AccountButtonText, accountButtonClass } from './account-button.tsx';
import { removeDrafts } from './drafts.ts';

const itemClass =
  'flex w-full items-center justify-between gap-3 rounded-lg px-3 py-2 text-left outline-none data-highlighted:bg-sunken';

/** The menu, open when it mounts. A separate chunk, because Radix's menu takes 15 kB. */
export function AccountMenuContent() {
  const { me, membership, environment } = useScope();
  const navigate = useNavigate();
  const queryClient = useQueryClient();
  const showToast = useToast();
  const leave = async () => {
    try {
      await signOut();
      queryClient.clear();
      removeDrafts();
      await navigate({ to: '/sign-in' });
    } catch (error) {
      showToast((error as Error).message);
    }
  };
  return (
    <DropdownMenu.Root modal={false} defaultOpen>
      <DropdownMenu.Trigger className={accountButtonClass}>
        <AccountButtonText name={membership.organization_name} />
      </DropdownMenu.Trigger>
      <DropdownMenu.Portal container={document.getElementById('content')}>
        <DropdownMenu.Content
          align="end"
          sideOffset={6}
          className="z-50 w-72 max-w-[calc(100vw-2rem)] rounded-xl border border-line bg-surface p-1.5 text-ink shadow-soft"
        >
          <DropdownMenu.Label className="px-3 pt-2 pb-1 text-sm text-soft wrap-anywhere">{me.email}</DropdownMenu.Label>
          {me.memberships.map((one) => (
            <DropdownMenu.Item key={one.organization_id} asChild>
              <Link
                to="/$organizationId/$environment"
                params={{ organizationId: one.organization_id, environment }}
                className={itemClass}
              >
                <span className="min-w-0">
                  <span className="block truncate font-semibold">{one.organization_name}</span>
                  <span className="block text-sm text-soft">{one.role_name}</span>
                </span>
                {one.organization_id === membership.organization_id && (
                  <CheckIcon aria-label="Current" className="size-5 text-accent" />
                )}
              </Link>
            </DropdownMenu.Item>
          ))}
          <DropdownMenu.Separator className="my-1.5 h-px bg-line" />
          <DropdownMenu.Item asChild>
            <Link to="/account" className={itemClass}>
              Your account and security
            </Link>
          </DropdownMenu.Item>
          <DropdownMenu.Item className={`${itemClass} cursor-pointer`} onSelect={() => void leave()}>
            Sign out
          </DropdownMenu.Item>
        </DropdownMenu.Content>
      </DropdownMenu.Portal>
    </DropdownMenu.Root>
  );
}
