import { shorten, unlinkable } from '../messaging/plain-name.ts';
import type { MessageContent } from './compose-message.ts';

// What a phone counts (3GPP TS 23.038): 160 or 70 letters in one part, and less in each of several.
const GSM_BASIC =
  '@£$¥èéùìòÇ\nØø\rÅåΔ_ΦΓΛΩΠΨΣΘΞÆæßÉ !"#¤%&\'()*+,-./0123456789:;<=>?¡ABCDEFGHIJKLMNOPQRSTUVWXYZÄÖÑÜ§¿abcdefghijklmnopqrstuvwxyzäöñüà';
/** Each counts twice. */
const GSM_EXTENDED = '^{}\\[~]|€';
const TWO_PARTS_OF_GSM = 306;
const TWO_PARTS_OF_UNICODE = 134;
const LONGEST_NAME = 40;
const SHORTEST_NAME = 8;

const isGsm = (text: string) =>
  [...text].every((letter) => GSM_BASIC.includes(letter) || GSM_EXTENDED.includes(letter));

const gsmLength = (text: string) =>
  [...text].reduce((length, letter) => length + (GSM_EXTENDED.includes(letter) ? 2 : 1), 0);

/**
 * A text message: who sent a gift, and the link, in at most two parts, so that it arrives whole and costs little. One
 * letter outside GSM's alphabet more than halves what a part holds, so then the words are fewer, and the name may be
 * shortened. In a name that looks like an address a blank breaks what phones would make a link of: `evil. com`; a joiner
 * without width would be such a letter.
 */
export function textMessage({ senderName, link }: MessageContent): string {
  const name = unlinkable(senderName, ' ');
  if (isGsm(name + link)) {
    const message = (sender: string) => `${sender} sent you a gift. Open it: ${link}`;
    const most = Math.min(LONGEST_NAME, TWO_PARTS_OF_GSM - gsmLength(message('')));
    return message(shortenTo(name, most, gsmLength, '...'));
  }
  const message = (sender: string) => `${sender}: a gift for you ${link}`;
  return message(
    shortenTo(name, Math.min(LONGEST_NAME, TWO_PARTS_OF_UNICODE - message('').length), (text) => text.length, '…'),
  );
}

/** As much of the name as the room allows, and never less than can be recognized. */
function shortenTo(name: string, room: number, lengthOf: (text: string) => number, ellipsis: string): string {
  const least = Math.max(room, SHORTEST_NAME);
  for (let most = LONGEST_NAME; most > 1; most -= 1) {
    const short = shorten(name, most, ellipsis);
    if (lengthOf(short) <= least) return short;
  }
  return ellipsis;
}
