import { shorten, unlinkable } from '../messaging/plain-name.ts';
import type { MessageContent } from './compose-message.ts';

// Lengths of 3GPP TS 23.038: 160 characters in a GSM message or 70 in Unicode, and fewer in each part of a longer one.
const GSM_BASIC =
  '@£$¥èéùìòÇ\nØø\rÅåΔ_ΦΓΛΩΠΨΣΘΞÆæßÉ !"#¤%&\'()*+,-./0123456789:;<=>?¡ABCDEFGHIJKLMNOPQRSTUVWXYZÄÖÑÜ§¿abcdefghijklmnopqrstuvwxyzäöñüà';
/** Each counts as two characters. */
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
 * Renders a text message of at most two parts. One character outside the GSM alphabet more than halves the length, so the
 * Unicode text is shorter. A space breaks names that look like links (`evil. com`); a zero-width joiner is not GSM.
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

/** Shortens a name to the room that is left, but to no less than 8 characters. */
function shortenTo(name: string, room: number, lengthOf: (text: string) => number, ellipsis: string): string {
  const least = Math.max(room, SHORTEST_NAME);
  for (let most = LONGEST_NAME; most > 1; most -= 1) {
    const short = shorten(name, most, ellipsis);
    if (lengthOf(short) <= least) return short;
  }
  return ellipsis;
}
