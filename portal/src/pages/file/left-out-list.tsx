import { formatCount } from '../../ui/formats.ts';
import type { LeftOut } from './sheet-answers.ts';

const MOST_NAMED = 12;

/** Lines that are not used, by their reason. */
export function LeftOutList({ leftOut }: { leftOut: readonly LeftOut[] }) {
  const reasons = [...new Set(leftOut.map(({ why }) => why))];
  if (reasons.length === 0) return null;
  return (
    <ul aria-label="Lines left out" className="mt-3 grid gap-1 text-sm text-soft">
      {reasons.map((reason) => {
        const lines = leftOut.filter(({ why }) => why === reason).map(({ line }) => line);
        const more = lines.length - MOST_NAMED;
        return (
          <li key={reason}>
            {lines.length === 1 ? 'Line' : 'Lines'} {lines.slice(0, MOST_NAMED).join(', ')}
            {more > 0 && ` and ${formatCount(more)} more`}: {reason}.
          </li>
        );
      })}
    </ul>
  );
}
