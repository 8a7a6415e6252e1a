import { ChevronLeftIcon, ChevronRightIcon } from '@radix-ui/react-icons';
import { Button } from './button.tsx';
import { Time } from './time.tsx';

interface ListPagerProps {
  page: { older: string | null; newer: string | null; searched_to: string | null } | undefined;
  onPage: (cursor: { after: string } | { before: string }) => void;
  /** Whether the list begins with the oldest row. */
  isOldestFirst?: boolean;
  /** Whether the list is sorted by something else than time. */
  isSorted?: boolean;
  /** For screen readers, if a page has several lists: `Pages of gifts`. */
  label?: string;
}

/** Leads to older and newer rows. Shows how far back a search got if it stopped early. */
export function ListPager({ page, onPage, isOldestFirst = false, isSorted = false, label = 'Pages' }: ListPagerProps) {
  if (page === undefined) return null;
  const { older, newer, searched_to } = page;
  const toOlder = older === null ? undefined : () => onPage({ after: older });
  const toNewer = newer === null ? undefined : () => onPage({ before: newer });
  const [back, onwards] = isOldestFirst ? [toOlder, toNewer] : [toNewer, toOlder];
  return (
    <>
      {searched_to !== null && (
        <div
          role="status"
          className="mt-4 flex flex-wrap items-center justify-between gap-3 rounded-xl bg-sunken px-4 py-3 text-soft"
        >
          <p>
            {isOldestFirst ? 'Searched up to' : 'Searched back to'} <Time at={searched_to} />.
          </p>
          {onwards !== undefined && (
            <Button size="small" onClick={onwards}>
              {isOldestFirst ? 'Search further on' : 'Search further back'}
            </Button>
          )}
        </div>
      )}
      <Pager
        label={label}
        back={back}
        onwards={searched_to === null ? onwards : undefined}
        labels={isSorted ? ['Previous', 'Next'] : isOldestFirst ? ['Older', 'Newer'] : ['Newer', 'Older']}
      />
    </>
  );
}

interface PagerProps {
  label: string;
  back: (() => void) | undefined;
  onwards: (() => void) | undefined;
  labels: readonly [back: string, onwards: string];
}

/** Pages through a list. An undefined callback disables its button. */
function Pager({ label, back, onwards, labels }: PagerProps) {
  if (back === undefined && onwards === undefined) return null;
  return (
    <nav aria-label={label} className="print:hidden mt-4 flex justify-end gap-2">
      <Button size="small" onClick={back} disabled={back === undefined}>
        <ChevronLeftIcon aria-hidden /> {labels[0]}
      </Button>
      <Button size="small" onClick={onwards} disabled={onwards === undefined}>
        {labels[1]} <ChevronRightIcon aria-hidden />
      </Button>
    </nav>
  );
}
