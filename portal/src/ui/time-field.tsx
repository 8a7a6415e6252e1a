import { readLocalTime } from 'bestow-readers/time.ts';
import { TextField } from './field.tsx';
import { zoneName } from './formats.ts';

const LONGEST_MS = 366 * 86_400_000;
const MINUTE_MS = 60_000;
/** A browser offers only days that exist. */
export const SKIPPED = 'Clocks are set forward past this time. Choose another.';

interface TimeFieldProps {
  /** As the browser writes it: `2026-12-24T09:00`, in the person's time zone. */
  value: string;
  onChange: (value: string) => void;
  onBlur?: () => void;
  error: string | undefined;
}

/** Asks for a date and a time to come; names the time zone. */
export function TimeField(props: TimeFieldProps) {
  const now = Date.now();
  return (
    <TextField
      {...props}
      label="Date and time"
      type="datetime-local"
      min={localText(new Date(now + MINUTE_MS))}
      max={localText(new Date(now + LONGEST_MS))}
      hint={`In your time zone, ${zoneName()}.`}
    />
  );
}

/** What a person can choose is at most a year ahead. */
export function faultOfTime(value: string): string | undefined {
  if (value === '') return 'Choose a date and a time.';
  const time = readLocalTime(value)?.getTime();
  if (time === undefined) return SKIPPED;
  if (time <= Date.now()) return 'Choose a time in the future.';
  return time > Date.now() + LONGEST_MS ? 'Choose a time within a year.' : undefined;
}

/** @param value of the field @returns ISO 8601 @throws RangeError for a time that does not exist */
export function isoOf(value: string): string {
  const time = readLocalTime(value);
  if (time === undefined) throw new RangeError(SKIPPED);
  return time.toISOString();
}

/** As the field takes it, in the person's time zone. */
export function localText(time: Date): string {
  const two = (number: number) => String(number).padStart(2, '0');
  const day = `${time.getFullYear()}-${two(time.getMonth() + 1)}-${two(time.getDate())}`;
  return `${day}T${two(time.getHours())}:${two(time.getMinutes())}`;
}
