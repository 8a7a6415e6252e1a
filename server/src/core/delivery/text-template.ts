import { englishWords } from '../../platform/languages/words.ts';
import { shorten, unlinkable } from '../../platform/messaging/plain-name.ts';
import type { MessageContent } from './message-content.ts';

// Lengths of 3GPP TS 23.038: 160 characters in a GSM message or 70 in Unicode, and fewer in each part of a longer one.
const GSM_BASIC =
  '@£$¥èéùìòÇ\nØø\rÅåΔ_ΦΓΛΩΠΨΣΘΞÆæßÉ !"#¤%&\'()*+,-./0123456789:;<=>?¡ABCDEFGHIJKLMNOPQRSTUVWXYZÄÖÑÜ§¿abcdefghijklmnopqrstuvwxyzäöñüà';
/** Each counts as two characters. */
const GSM_EXTENDED = '^{}\\[~]|€';
const TWO_PARTS_OF_GSM = 306;
const TWO_PARTS_OF_UNICODE = 134;
const LONGEST_NAME = 40;
const SHORTEST_NAME = 8;
/** The last day and the stop link leave the name at least this room. */
const NAME_BESIDE_EXTRAS = 20;

type TextContent = Omit<MessageContent, 'disclosure' | 'subject' | 'look' | 'footer'>;

const isGsm = (text: string) =>
  [...text].every((letter) => GSM_BASIC.includes(letter) || GSM_EXTENDED.includes(letter));

const gsmLength = (text: string) =>
  [...text].reduce((length, letter) => length + (GSM_EXTENDED.includes(letter) ? 2 : 1), 0);

/**
 * Renders a text message of at most two parts, with the organization, a hint at the sender's message, the last day and a
 * reminder's stop link if there is room. The disclosure is only on the gift's page. One character outside the GSM alphabet
 * more than halves the length, so the Unicode text is shorter. A space breaks names that look like links (`evil. com`); a
 * zero-width joiner is not GSM.
 */
export function textMessage(content: TextContent): string {
  const sender = unlinkable(content.senderName, ' ');
  if (content.organizationName === undefined) return messageOf(sender, content);
  const named = `${sender} (${unlinkable(content.organizationName, ' ')})`;
  // An organization's name that has no room, or would halve it, is only in the link's page.
  const message = isGsm(sender) && !isGsm(named) ? '' : messageOf(named, content);
  return message.includes(named) ? message : messageOf(sender, content);
}

/** A text with a place for the name. */
type Named = (name: string) => string;

function messageOf(name: string, content: TextContent): string {
  const { words = englishWords, note, link, lastDay: day, stopLink } = content;
  const { direction, say } = words;
  const open: Named = (name) => say('sms.open', { name, link });
  if (isGsm(open(name))) {
    const claim: Named = day === undefined ? open : (name) => say('sms.claim', { name, day, link });
    const noted: Named =
      day === undefined
        ? (name) => say('sms.noteOpen', { name, link })
        : (name) => say('sms.noteClaim', { name, day, link });
    const hint = note === undefined ? claim : noted;
    const stoppable = (text: Named): Named =>
      stopLink === undefined ? text : (name) => `${text(name)} ${say('sms.stop', { link: stopLink })}`;
    const texts = [stoppable(hint), stoppable(claim), stoppable(open), hint, claim, open];
    return compose(
      name,
      texts.filter((text) => isGsm(text(''))),
      TWO_PARTS_OF_GSM,
      gsmLength,
      '...',
    );
  }
  const plain: Named = (name) => say('sms.short', { name, link });
  const dated: Named = day === undefined ? plain : (name) => say('sms.shortUntil', { name, day, link });
  const noted: Named =
    day === undefined
      ? (name) => say('sms.shortNote', { name, link })
      : (name) => say('sms.shortNoteUntil', { name, day, link });
  const texts = [note === undefined ? dated : noted, dated, plain];
  // A mark of direction, because the name or the link could turn the whole text.
  const turned = texts.map((text): Named => (direction === 'rtl' ? (name) => `\u200f${text(name)}` : text));
  return compose(name, turned, TWO_PARTS_OF_UNICODE, ({ length }) => length, '…');
}

/** Puts the name into the first text that leaves it room, or into the last. */
function compose(
  name: string,
  texts: readonly Named[],
  most: number,
  lengthOf: (text: string) => number,
  ellipsis: string,
): string {
  const needed = Math.min(lengthOf(name), NAME_BESIDE_EXTRAS);
  const text = texts.find((one) => lengthOf(one('')) + needed <= most) ?? texts.at(-1) ?? String;
  return text(shortenTo(name, Math.min(LONGEST_NAME, most - lengthOf(text(''))), lengthOf, ellipsis));
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
