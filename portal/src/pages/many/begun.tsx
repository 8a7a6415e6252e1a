import { Button } from '../../ui/button.tsx';
import { countOf } from '../../ui/formats.ts';
import type { ManyDraft } from './many-draft.ts';

interface BegunProps {
  draft: ManyDraft;
  onGoOn: () => void;
  onDiscard: () => void;
}

/** Leads back to a file that was begun; another file replaces it. */
export function Begun({ draft: { answers, sheets, checked }, onGoOn, onDiscard }: BegunProps) {
  if (sheets === undefined) return null;
  const count = checked === undefined ? '' : `, ${countOf(checked.rows.length, 'row')}`;
  return (
    <section aria-label="Begun" className="mb-5 rounded-xl bg-sunken px-4 py-3">
      <p className="wrap-anywhere">
        You have begun <strong>{answers.name}</strong>
        {count}. Nothing is sent yet.
      </p>
      <div className="mt-3 flex flex-wrap gap-3">
        <Button size="small" variant="primary" onClick={onGoOn}>
          Go on
        </Button>
        <Button size="small" variant="quiet" onClick={onDiscard}>
          Start again
        </Button>
      </div>
    </section>
  );
}
