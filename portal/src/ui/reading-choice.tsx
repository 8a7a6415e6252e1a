import type { Encoding, Reading } from 'bestow-readers/decode.ts';

interface ReadingChoiceProps {
  readings: readonly Reading[];
  chosen: Encoding | undefined;
  onChange: (encoding: Encoding) => void;
}

/** Words of a file in each encoding. */
export function ReadingChoice({ readings, chosen, onChange }: ReadingChoiceProps) {
  return (
    <fieldset className="grid gap-2">
      <legend className="sr-only">Words of the file</legend>
      {readings.map(({ encoding, label, sample }) => (
        <label
          key={encoding}
          className="flex cursor-pointer items-baseline gap-3 rounded-xl border border-line px-4 py-2.5 has-checked:border-accent has-checked:bg-accent-wash"
        >
          <input
            type="radio"
            name="encoding"
            checked={chosen === encoding}
            onChange={() => onChange(encoding)}
            className="size-4 shrink-0 translate-y-0.5 accent-(--accent)"
          />
          <span className="min-w-0">
            <span className="block font-semibold wrap-anywhere">{sample}</span>
            <span className="text-sm text-soft">{label}</span>
          </span>
        </label>
      ))}
    </fieldset>
  );
}
