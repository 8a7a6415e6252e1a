import { useId } from 'react';
import { inputClass } from './field.tsx';

interface FileFieldProps {
  /** Names of endings and types, as in HTML. */
  accept: string;
  hint: string;
  /** Undefined if the person takes the file back. */
  onChange: (file: File | undefined) => void;
  error: Error | null;
}

/** Chooses one file. */
export function FileField({ accept, hint, onChange, error }: FileFieldProps) {
  const id = useId();
  return (
    <div className="mt-4">
      <label htmlFor={id} className="mb-1 block font-semibold">
        File
      </label>
      <input
        id={id}
        type="file"
        accept={accept}
        required
        onChange={(event) => onChange(event.target.files?.[0])}
        aria-invalid={error !== null || undefined}
        aria-describedby={`${id}-description`}
        className={inputClass}
      />
      <p
        id={`${id}-description`}
        role={error === null ? undefined : 'alert'}
        className={`mt-1 text-sm ${error === null ? 'text-soft' : 'text-bad'}`}
      >
        {error?.message ?? hint}
      </p>
    </div>
  );
}
