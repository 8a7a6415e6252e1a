import { faultOfMarks, fillMarks, type Mark, type MarkedGift, markWords, missingMark } from 'bestow-readers/marks.ts';
import { LONGEST_MESSAGE } from '../../base/gift-limits.ts';

/** What all gifts of an organization have for marks. */
export interface MarkScope {
  currency: string;
  organizationName: string;
  /** Of gifts without a language of their own. */
  organizationLanguage: string | null;
}

type MarkedDraft = Omit<MarkedGift, 'sender' | 'currency' | 'language'> & { sender?: string; language?: string };

/** The mark that has no word, or undefined if the message itself is wrong. */
interface MarkFault {
  mark: Mark | undefined;
  message: string;
}

const whatToEnter: Readonly<Record<Mark, string>> = {
  name: 'a name',
  first_name: 'a name',
  sender: 'a sender',
  amount: 'an amount',
  occasion: 'an occasion',
  years: 'the years',
};

/** Fills the marks of a message, such as `{first_name}`, with the words of a gift. What cannot be filled stays. */
export function fillMessage(
  message: string,
  { currency, organizationName, organizationLanguage }: MarkScope,
  { sender = organizationName, language = organizationLanguage ?? 'en', ...gift }: MarkedDraft,
): { text: string; fault: MarkFault | undefined } {
  const words = markWords({ ...gift, sender, language, currency });
  const text = fillMarks(message, words);
  const wrong = faultOfMarks(message);
  if (wrong !== undefined) return { text, fault: { mark: undefined, message: wrong } };
  const mark = missingMark(message, words);
  if (mark !== undefined)
    return { text, fault: { mark, message: `Enter ${whatToEnter[mark]}: the message has {${mark}}.` } };
  const isTooLong = text !== message && [...text].length > LONGEST_MESSAGE;
  const tooLong = { mark: undefined, message: `With its marks filled, at most ${LONGEST_MESSAGE} characters.` };
  return { text, fault: isTooLong ? tooLong : undefined };
}
