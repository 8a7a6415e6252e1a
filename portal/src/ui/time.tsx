import { formatTime } from './formats.ts';

/** A time in the person's time zone, with a tooltip in UTC. */
export function Time({ at, hasSeconds = false }: { at: string; hasSeconds?: boolean }) {
  return (
    <time dateTime={at} title={`${at.slice(0, 19).replace('T', ' ')} UTC`} className="whitespace-nowrap">
      {formatTime(at, hasSeconds)}
    </time>
  );
}
