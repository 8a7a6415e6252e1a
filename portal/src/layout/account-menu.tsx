import { type ComponentType, useState } from 'react';
import { useToast } from '../ui/toast.tsx';
import { AccountButtonText, accountButtonClass } from './account-button.tsx';
import { usePlace } from './use-place.ts';

const loadContent = () => import('./account-menu-content.tsx');
const preload = () => void loadContent().catch(() => undefined);

/** Whom one is signed in as, one's other organizations, and the way out. The menu is loaded when it is reached for. */
export function AccountMenu() {
  const { membership } = usePlace();
  const [Content, setContent] = useState<ComponentType>();
  const say = useToast();
  const open = async () => {
    try {
      const { AccountMenuContent } = await loadContent();
      setContent(() => AccountMenuContent);
    } catch {
      say('The menu could not be loaded. Check your connection, then reload the page.');
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
