import { withoutTurnsIn } from 'bestow-readers/direction.ts';

/**
 * Removes controls of the writing direction, such as U+202E, from a text, or from every text of a JSON body. What people wrote
 * then turns no text around it, and a language model reads the words that a person sees.
 */
export const withoutTurns = <Value>(value: Value): Value => withoutTurnsIn(value);
