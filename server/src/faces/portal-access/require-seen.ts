import { readTime } from 'bestow-readers/time.ts';
import { Type } from 'typebox';
import { BestowError } from '../../platform/base/errors.ts';

/** Of a change of something whole: two people who change it at the same time do not undo each other's change. */
export const SeenQuery = {
  seen_at: Type.Optional(
    Type.String({ description: 'The `changed_at` that the person saw. What was changed since stays as it is.' }),
  ),
};

/** @throws BestowError `parameter_invalid` */
export const readSeen = ({ seen_at }: { seen_at?: string | undefined }): Date | undefined =>
  seen_at === undefined ? undefined : readChangedAt(seen_at, 'seen_at');

/** Reads a `changed_at` that the person saw. @throws BestowError `parameter_invalid` */
export function readChangedAt(text: string, param: string): Date {
  const time = readTime(text);
  if (time === undefined) throw new BestowError('parameter_invalid', { param });
  return time;
}

/** @throws BestowError `resource_locked` */
export function requireSeen(seenAt: Date | undefined, changedAt: Date): void {
  if (seenAt !== undefined && seenAt.getTime() !== changedAt.getTime())
    throw new BestowError('resource_locked', {
      message: 'Someone changed this meanwhile. Close this window, look at the change, and make yours again.',
    });
}
