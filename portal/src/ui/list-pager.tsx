import { ChevronLeftIcon, ChevronRightIcon } from '@radix-ui/react-icons';
import { Button } from './button.tsx';
import { Time } from './time.tsx';

interface ListPagerProps {
  page: { older: string | null; newer: string | null; searched_to: string | null } | undefined;
  onPage: (cursor: { after: string } | { before: string }) => void;
}

/** Leads to older and newer rows. Shows how far back a search got if it stopped early. */
export function ListPager({ page, onPage }: ListPagerProps) {
  if (page === undefined) return null;
  const { older, newer, searched_to } = page;
  return (
    <>
      {searched_to !== null && (
        <div
          role="status"
          className="mt-4 flex flex-wrap items-center justify-between gap-3 rounded-xl bg-sunken px-4 py-3 text-soft"
        >
          <p>
            Searched back to <Time at={searched_to} />.
          </p>
          {older !== null && (
            <Button size="small" onClick={() => onPage({ after: older })}>
              Search further back
            </Button>
          )}
        </div>
      )}
      <Pager
        newer={newer === null ? undefined : () => onPage({ before: newer })}
        older={older === null || searched_to !== null ? undefined : () => onPage({ after: older })}
      />
    </>
  );
}

interface PagerProps {
  newer: (() => void) | undefined;
  older: (() => void) | undefined;
}

/** Pages through a list that begins with the newest row. An undefined callback disables its button. */
function Pager({ newer, older }: PagerProps) {
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
