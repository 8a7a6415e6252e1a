import { Button } from '../../ui/button.tsx';

/** Says that the choices for an earlier file are used. */
export function RecalledNote({ onForget }: { onForget: () => void }) {
  return (
    <div className="mb-5 flex flex-wrap items-center justify-between gap-3 rounded-xl bg-sunken px-4 py-3">
      <p>This file has the headings of an earlier one. Your choices for it are used again.</p>
      <Button size="small" onClick={onForget}>
        Forget them
      </Button>
    </div>
  );
}
