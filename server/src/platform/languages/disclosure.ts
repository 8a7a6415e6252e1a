import type { Program } from '../base/program.ts';
import type { Words } from './words.ts';

/** What an unclaimed gift discloses to its recipient. @param lastDay on which it can be claimed, if it expires */
export const disclosure = ({ join, say }: Words, program: Program, lastDay: string | undefined): string =>
  join(
    say(`disclosure.${program}`),
    lastDay === undefined ? say('disclosure.noLastDay') : say('disclosure.lastDay', { day: lastDay }),
    say('disclosure.noFees'),
  );

/** The same of a claimed gift. */
export const claimedDisclosure = ({ join, say }: Words, program: Program): string =>
  join(say(`disclosure.${program}`), say('disclosure.noFees'));
