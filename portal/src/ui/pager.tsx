import { ChevronLeftIcon, ChevronRightIcon } from '@radix-ui/react-icons';
import { Button } from './button.tsx';

interface PagerProps {
  newer: (() => void) | undefined;
  older: (() => void) | undefined;
}

/** Pages through a list that begins with the newest row. An undefined callback disables its button. */
export function Pager({ newer, older }: PagerProps) {
  if (newer === undefined && older === undefined) return null;
  return (
    <nav aria-label="Pages" className="print:hidden mt-4 flex justify-end gap-2">
      <Button size="small" onClick={newer} disabled={newer === undefined}>
        <ChevronLeftIcon aria-hidden /> Newer
      </Button>
      <Button size="small" onClick={older} disabled={older === undefined}>
        Older <ChevronRightIcon aria-hidden />
      </Button>
    </nav>
  );
}
