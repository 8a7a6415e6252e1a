import type { Encoding, Reading } from 'bestow-readers/decode.ts';
import { useState } from 'react';
import { Button } from '../ui/button.tsx';
import { FormError } from '../ui/field.tsx';
import { Panel } from '../ui/page.tsx';
import { ReadingChoice } from '../ui/reading-choice.tsx';

interface LettersProps {
  name: string;
  readings: readonly Reading[];
  onBack: () => void;
  onChoose: (encoding: Encoding) => void;
  error: Error | null;
}

/** Asks how the letters of a file are to be read that is not Unicode. */
export function Letters({ name, readings, onBack, onChoose, error }: LettersProps) {
  const [chosen, setChosen] = useState<Encoding>();
  return (
    <Panel
      title="Which words are right?"
      description={`${name} does not say how its letters are written. Choose the line that reads as in your file.`}
    >
      <form
        onSubmit={(event) => {
          event.preventDefault();
          if (chosen !== undefined) onChoose(chosen);
        }}
      >
        <ReadingChoice readings={readings} chosen={chosen} onChange={setChosen} />
        <FormError error={error} />
        <div className="mt-6 flex flex-wrap gap-3">
          <Button type="submit" variant="primary" disabled={chosen === undefined}>
            Continue
          </Button>
          <Button onClick={onBack}>Other file</Button>
        </div>
      </form>
    </Panel>
  );
}
