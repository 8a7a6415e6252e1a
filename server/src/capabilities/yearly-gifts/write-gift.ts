import { fillMarks, markWords, missingMark } from 'bestow-readers/marks.ts';
import type { Deps } from '../../core/deps.ts';
import { type GiftInputBody, LONGEST_MESSAGE } from '../../core/gifts/gift/schema.ts';
import { chooseLanguage } from '../../platform/languages/languages.ts';
import { wordsOf } from '../../platform/languages/words.ts';
import type { LockedGift, LockedRule } from './work-queries.ts';

type WriteDeps = Pick<Deps, 'config'>;

/** A person's gift of a year as the template says it, or the reason why its message cannot be filled. */
export function writeGift(
  deps: WriteDeps,
  rule: LockedRule,
  gift: LockedGift,
): { input: GiftInputBody } | { reason: 'mark_without_word' | 'message_too_long' } {
  const { method, address, name, contact_language } = gift;
  const language = contact_language ?? rule.language;
  const words = wordsFor(deps, rule, gift);
  if (rule.message !== null && missingMark(rule.message, words) !== undefined) return { reason: 'mark_without_word' };
  const message = rule.message === null ? '' : fillMarks(rule.message, words);
  if ([...message].length > LONGEST_MESSAGE) return { reason: 'message_too_long' };
  const personalization = {
    ...(name !== null && { recipient_name: name }),
    ...(rule.sender_name !== null && { sender_name: rule.sender_name }),
    ...(message !== '' && { message }),
  };
  const input = {
    amount: rule.amount_cents,
    category: rule.category_id,
    delivery: method === 'email' ? { method, email: address } : { method, phone: address },
    personalization,
    ...(language !== null && { language }),
  };
  return { input: input as GiftInputBody };
}

/** In the language of the gift. */
function wordsFor(
  { config: { currency } }: WriteDeps,
  rule: LockedRule,
  { name, years, contact_language }: LockedGift,
) {
  const language = chooseLanguage([contact_language, rule.language, rule.organization_language], undefined);
  return markWords({
    name,
    sender: rule.sender_name ?? rule.organization_name,
    amount_cents: rule.amount_cents,
    currency,
    language,
    occasion: wordsOf(language).say(rule.occasion === 'birthday' ? 'occasion.birthday' : 'occasion.workAnniversary'),
    years,
  });
}
