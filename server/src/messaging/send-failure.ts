const LONGEST_REASON = 200;
// Reasons are logged and shown; whom a message is for is neither.
const EMAIL_ADDRESS = /<?[^\s<>"'()][^\s<>"()]*@[^\s<>"'()]+>?/g;
const PHONE_NUMBER = /\+\d[\d\s().-]{5,}\d/g;

/** Of connections that never came to be. */
const NEVER_CONNECTED = ['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN'];

/** The message was not accepted, and trying again later may help. */
export class SendFailure extends Error {
  /** `unsent`: it certainly did not go out; `unknown`: it may have, and the answer was lost. */
  readonly outcome: 'unsent' | 'unknown';

  constructor(message: string, outcome: 'unsent' | 'unknown') {
    super(message);
    this.outcome = outcome;
  }
}

/** Whether nobody can have taken a message, by the code of a connection's error. */
export const isNeverConnected = (code: string | undefined) => NEVER_CONNECTED.includes(code ?? '');

/**
 * What a server said, on one line, bounded and without the recipient's address.
 *
 * @param to the recipient; servers also name what stands before the `@` alone
 */
export function plainReason(text: string, to: string): string {
  const line = text
    .replace(wholeWord(to), 'the address')
    .replace(EMAIL_ADDRESS, 'the address')
    .replace(PHONE_NUMBER, 'the number')
    .replace(wholeWord(to.replace(/@[^@]*$/, '')), 'the address')
    .replace(/[^\p{L}\p{M}\p{N}\p{P}\p{S}]+/gu, ' ')
    .trim();
  return line.length <= LONGEST_REASON ? line : `${line.slice(0, LONGEST_REASON - 1).trimEnd()}…`;
}

/** Not within another word: «a» may stand before the `@` too. */
const wholeWord = (word: string) =>
  new RegExp(`<?(?<![\\p{L}\\p{N}_-])${RegExp.escape(word)}(?![\\p{L}\\p{N}_-])>?`, 'giu');
