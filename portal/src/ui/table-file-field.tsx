import type { Encoding, Reading } from 'bestow-readers/decode.ts';
import { useState } from 'react';
import { tableTextAside } from '../base/read-file-aside.ts';
import { FileField } from './file-field.tsx';
import { ReadingChoice } from './reading-choice.tsx';
import { useAct } from './use-act.ts';

interface TableFileFieldProps {
  /** Headings that the table may have. */
  columns: readonly string[];
  hint: string;
  /** The table as text; undefined until a file is read. */
  onChange: (text: string | undefined) => void;
  /** What the server refused. */
  error: Error | null;
}

/** Chooses a CSV or Excel file, and asks how its letters are read if it does not say it. */
export function TableFileField({ columns, hint, onChange, error }: TableFileFieldProps) {
  const [readings, setReadings] = useState<readonly Reading[]>([]);
  const [chosen, setChosen] = useState<{ file: File; encoding?: Encoding }>();
  const reading = useAct({
    isRead: true,
    send: async ({ file, encoding }: { file: File; encoding?: Encoding }) => {
      const bytes = new Uint8Array(await file.arrayBuffer());
      return tableTextAside(bytes, columns, encoding);
    },
    onDone: (read) => {
      if ('readings' in read) setReadings(read.readings);
      else onChange(read.text);
    },
  });
  const read = (next: typeof chosen) => {
    onChange(undefined);
    reading.reset();
    setChosen(next);
    if (next !== undefined) reading.mutate(next);
  };
  return (
    <>
      <FileField
        accept=".csv,.tsv,.txt,.xlsx,text/csv"
        hint={reading.isPending ? 'Reading…' : hint}
        onChange={(file) => {
          setReadings([]);
          read(file && { file });
        }}
        error={reading.error ?? error}
      />
      {readings.length > 0 && chosen !== undefined && (
        <div className="mt-4">
          <p className="mb-2 font-semibold">Which words are right?</p>
          <ReadingChoice
            readings={readings}
            chosen={chosen.encoding}
            onChange={(encoding) => read({ file: chosen.file, encoding })}
          />
        </div>
      )}
    </>
  );
}
