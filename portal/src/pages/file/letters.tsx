import type { Encoding, Reading } from 'bestow-readers/decode.ts';
import type { OpenedFile } from 'bestow-readers/read-file.ts';
import { useState } from 'react';
import { openFileAside } from '../../base/read-file-aside.ts';
import { Button } from '../../ui/button.tsx';
import { FormError } from '../../ui/field.tsx';
import { Panel } from '../../ui/page.tsx';
import { ReadingChoice } from '../../ui/reading-choice.tsx';
import { useAct } from '../../ui/use-act.ts';
import type { NamedFile } from './file-drop.tsx';

interface LettersProps {
  /** Headings that the page knows. */
  known: readonly string[];
  file: NamedFile;
  readings: readonly Reading[];
  onBack: () => void;
  onOpen: (file: NamedFile, opened: OpenedFile) => void;
}

/** Asks how the letters of a file are to be read that is not Unicode. */
export function Letters({ known, file, readings, onBack, onOpen }: LettersProps) {
  const open = useAct({
    isRead: true,
    send: (encoding: Encoding) => openFileAside(file.bytes ?? new Uint8Array(), known, encoding),
  });
  const [chosen, setChosen] = useState<Encoding>();
  return (
    <Panel
      title="Which words are right?"
      description={`${file.name} does not say how its letters are written. Choose the line that reads as in your file.`}
    >
      <form
        onSubmit={(event) => {
          event.preventDefault();
          if (chosen !== undefined) open.mutate(chosen, { onSuccess: (opened) => onOpen(file, opened) });
        }}
      >
        <ReadingChoice readings={readings} chosen={chosen} onChange={setChosen} />
        <FormError error={open.error} />
        <div className="mt-6 flex flex-wrap gap-3">
          <Button type="submit" variant="primary" disabled={chosen === undefined} isBusy={open.isPending}>
            Continue
          </Button>
          <Button onClick={onBack}>Other file</Button>
        </div>
      </form>
    </Panel>
  );
}
