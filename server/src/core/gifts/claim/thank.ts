import type { Scope } from '../../../platform/base/principal.ts';
import { englishWords } from '../../../platform/languages/words.ts';
import type { Deps } from '../../deps.ts';
import { ERASED_ADDRESS } from '../gift/address.ts';
import { insertThanks } from './thank-queries.ts';

export const LONGEST_NOTE = 280;

/** Removes control and direction characters, except line breaks, and the spaces around. */
export const readNote = (typed: string): string =>
  typed
    .replaceAll('\r\n', '\n')
    .replaceAll(/[^\P{Cc}\n]|[\u202a-\u202e\u2066-\u2069]/gu, '')
    .trim();

/** @returns why the note cannot be sent, for the recipient; undefined if it can */
export function refuseNote(note: string, { say } = englishWords): string | undefined {
  if (note === '') return say('thanks.empty');
  const length = [...note].length;
  return length > LONGEST_NOTE ? say('thanks.long', { most: LONGEST_NOTE, length }) : undefined;
}

/**
 * Stores the note of the browser that holds the card, and its event. Does nothing if there is a note already, the gift is on
 * hold, its recipient was erased, or another browser holds the card by now.
 *
 * @param note as `readNote` returns it
 */
export async function thank(
  { clock, database }: Pick<Deps, 'clock' | 'database'>,
  { scope, gift_id }: { scope: Scope; gift_id: string },
  holderHash: Buffer,
  note: string,
): Promise<void> {
  const one = [scope.organizationId, scope.environment, gift_id] as const;
  await insertThanks(database.change, [...one, holderHash, note, new Date(clock.now()), ERASED_ADDRESS]);
}
