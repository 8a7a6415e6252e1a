import { wordsOf } from '../../platform/languages/words.ts';
import type { Mail } from './mail.ts';
import { trusted } from './mail-text.ts';
import type { Notice } from './notice.ts';

/** To the recipient of a claimed gift: another browser may show its card. */
export function reopenedMail({ hours, language = 'en' }: Extract<Notice, { kind: 'card_reopened' }>['details']): Mail {
  const words = wordsOf(language);
  const { say } = words;
  const lead = say('cardReopened.lead', { hours });
  return {
    words,
    subject: say('cardReopened.subject'),
    preheader: lead,
    title: trusted(say('cardReopened.title')),
    lead: trusted(lead),
    notes: {
      title: say('cardReopened.notes'),
      points: [trusted(say('cardReopened.tell')), trusted(say('cardReopened.after'))],
    },
    reason: trusted(say('cardReopened.reason')),
  };
}
