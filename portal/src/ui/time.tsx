import { formatTime } from './formats.ts';

/** A moment in the person's own time zone; the exact one is in its tooltip. */
export function Time({ at, hasSeconds = false }: { at: string; hasSeconds?: boolean }) {
  return (
    <time dateTime={at} title={`${at.slice(0, 19).replace('T', ' ')} UTC`} className="whitespace-nowrap">
      {formatTime(at, hasSeconds)}
    </time>
  );
}
