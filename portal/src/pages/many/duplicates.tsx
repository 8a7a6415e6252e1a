import { Button } from '../../ui/button.tsx';
import { countOf, formatCount } from '../../ui/formats.ts';
import { Time } from '../../ui/time.tsx';
import type { Row } from './check.ts';

const SHOWN = 8;

interface DuplicatesProps {
  rows: readonly Row[];
  accepts: boolean;
  onAccept: (accepts: boolean) => void;
  onDrop: () => void;
}

/** Rows that may be a second gift to the same person. */
export function Duplicates({ rows, accepts, onAccept, onDrop }: DuplicatesProps) {
  const count = countOf(rows.length, 'row');
  return (
    <section aria-label="Repeated recipients" className="mb-5 rounded-xl bg-warn-wash px-4 py-3 text-warn">
      <p className="font-semibold">{count} may be a second gift to the same person</p>
      <ul className="mt-2 grid gap-1 text-sm">
        {rows.slice(0, SHOWN).map(({ line, address, recent }) => (
          <li key={line} className="wrap-anywhere">
            Line {line}: {address},{' '}
            {recent === null ? (
              'twice in this file'
            ) : (
              <>
                had a gift on <Time at={recent.sent_at} />
              </>
            )}
          </li>
        ))}
        {rows.length > SHOWN && <li>And {formatCount(rows.length - SHOWN)} more.</li>}
      </ul>
      <div className="mt-3 flex flex-wrap items-center gap-x-5 gap-y-2 text-ink">
        <label className="flex items-center gap-2">
          <input
            type="checkbox"
            checked={accepts}
            onChange={({ target }) => onAccept(target.checked)}
            className="size-4 accent-(--accent)"
          />
          Send these too
        </label>
        <Button size="small" onClick={onDrop}>
          Leave out {count}
        </Button>
      </div>
    </section>
  );
}
