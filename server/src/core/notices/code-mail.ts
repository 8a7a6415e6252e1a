import { type Words, wordsOf } from '../../platform/languages/words.ts';
import type { Deps } from '../deps.ts';
import type { Mail } from './mail.ts';
import { trusted } from './mail-text.ts';
import type { RecipientCode } from './notice.ts';

type Subject = 'cardCode' | 'finderCode';

/** @returns undefined if the code was encrypted with a removed secret */
export function codeMail(
  { cipher }: Pick<Deps, 'cipher'>,
  { sealed_code, expires_minutes, language = 'en' }: RecipientCode,
  about: Subject,
): Mail | undefined {
  const code = cipher.decrypt(sealed_code);
  if (code === undefined) return undefined;
  const words = wordsOf(language);
  const { say, join } = words;
  const howLong = say('code.once', { minutes: expires_minutes });
  return {
    words,
    subject: say(`${about}.subject`),
    preheader: howLong,
    title: trusted(say('code.title')),
    lead: trusted(join(say(`${about}.lead`), howLong)),
    code,
    notes: {
      title: say('code.secret'),
      points: [trusted(say(`${about}.warning`)), trusted(say(`${about}.unasked`))],
    },
    reason: trusted(say(`${about}.reason`)),
  };
}

/** The same as a text message. */
export const codeText = ({ say }: Words, code: string, about: Subject): string =>
  say(about === 'cardCode' ? 'sms.cardCode' : 'sms.finderCode', { code });
