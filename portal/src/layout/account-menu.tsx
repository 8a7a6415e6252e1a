import { type ComponentType, useState } from 'react';
import { useScope } from '../api/use-scope.ts';
import { useToast } from '../ui/toast.tsx';
import { AccountButtonText, accountButtonClass } from './account-button.tsx';

const loadContent = () => import('./account-menu-content.tsx');
const preload = () => void loadContent().catch(() => undefined);

/** Shows the person's email and organizations, and signs out. The menu loads on hover or focus. */
export function AccountMenu() {
  const { membership } = useScope();
  const [Content, setContent] = useState<ComponentType>();
  const showToast = useToast();
  const open = async () => {
    try {
      const { AccountMenuContent } = await loadContent();
      setContent(() => AccountMenuContent);
    } catch {
      showToast('The menu could not be loaded. Check your connection, then reload the page.');
    }
  };
  if (Content !== undefined) return <Content />;
  return (
    <button
      type="button"
      aria-haspopup="menu"
      aria-expanded={false}
      className={accountButtonClass}
      onPointerEnter={preload}
      onFocus={preload}
      onClick={() => void open()}
    >
      <AccountButtonText name={membership.organization_name} />
    </button>
  );
}
