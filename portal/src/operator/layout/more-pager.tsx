import { Button } from '../../ui/button.tsx';

interface MorePagerProps {
  /** Whether an earlier page was left. */
  isFirst: boolean;
  onFirst: () => void;
  /** Undefined on the last page. */
  onOlder: (() => void) | undefined;
}

/** Pages of a list that leads to older rows only; the browser’s way back leads to newer ones. */
export function MorePager({ isFirst, onFirst, onOlder }: MorePagerProps) {
  if (isFirst && onOlder === undefined) return null;
  return (
    <nav aria-label="Pages" className="mt-4 flex justify-end gap-2">
      {!isFirst && (
        <Button size="small" onClick={onFirst}>
          Newest
        </Button>
      )}
      <Button size="small" onClick={onOlder} disabled={onOlder === undefined}>
        Older
      </Button>
    </nav>
  );
}
