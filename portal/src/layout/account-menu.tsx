import { lazy, Suspense, useState } from 'react';
import { AccountButtonText, accountButtonClass } from './account-button.tsx';
import { usePlace } from './use-place.ts';

const loadContent = () => import('./account-menu-content.tsx');
const Content = lazy(async () => ({ default: (await loadContent()).AccountMenuContent }));

/** Whom one is signed in as, one's other organizations, and the way out. The menu is loaded when it is reached for. */
export function AccountMenu() {
  const { membership } = usePlace();
  const [isWanted, setIsWanted] = useState(false);
  const button = (
    <button
      type="button"
      aria-haspopup="menu"
      aria-expanded={isWanted}
      className={accountButtonClass}
      onPointerEnter={() => void loadContent()}
      onFocus={() => void loadContent()}
      onClick={() => setIsWanted(true)}
    >
      <AccountButtonText name={membership.organization_name} />
    </button>
  );
  if (!isWanted) return button;
  return (
    <Suspense fallback={button}>
      <Content />
    </Suspense>
  );
}
