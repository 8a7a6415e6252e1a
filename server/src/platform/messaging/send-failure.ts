import { explainConnection } from '../base/explain-connection.ts';
import type { OutsideFailure } from '../jobs/breaker.ts';

const LONGEST_REASON = 200;
// Reasons are logged and shown; addresses must not be.
const EMAIL_ADDRESS = /<?[^\s<>"'()][^\s<>"()]*@[^\s<>"'()]+>?/g;
const PHONE_NUMBER = /\+\d[\d\s().-]{5,}\d/g;

const NEVER_CONNECTED = ['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN'];

/** PostgreSQL's pattern of the reasons of an `account_refused` message: a permanent SMTP code, or Twilio's refusal. */
export const ACCOUNT_REFUSAL =
  '^(5[0-9][0-9][ -]|Twilio did not accept the message [(]HTTP 4(?!29)|Twilio refused the message after)';

/**
 * `account_refused`: refused because of the service's account, such as a daily limit; `unsent`: certainly not sent;
 * `unknown`: perhaps sent, because the response was lost; `handed_over`: the server has the whole message, and its answer was
 * lost, so that it probably delivers it.
 */
type FailureOutcome = 'account_refused' | 'unsent' | 'unknown' | 'handed_over';

/** The message was not accepted; a retry may succeed. */
export class SendFailure extends Error implements OutsideFailure {
  readonly outcome: FailureOutcome;
  /** Whether other messages fail alike. */
  readonly isOfServer: boolean;

  constructor(message: string, outcome: FailureOutcome, isOfServer = true) {
    super(message);
    this.outcome = outcome;
    this.isOfServer = isOfServer;
  }
}

/** Explains a failed connection to the operator, who may look the code up. */
export function connectionReason(error: unknown): string | undefined {
  const found = explainConnection(error);
  return found && `${found.text} (${found.code})`;
}

/** Whether an error code means that no connection was made, so that no message was sent. */
export const isNeverConnected = (code: string | undefined) => NEVER_CONNECTED.includes(code ?? '');

/**
 * Puts a server's response on one bounded line without the recipient's address.
 *
 * @param to the recipient; servers also show the part before the `@` alone
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

/** Matches whole words only: the part before the `@` may be a single letter. */
const wholeWord = (word: string) =>
  new RegExp(`<?(?<![\\p{L}\\p{N}_-])${RegExp.escape(word)}(?![\\p{L}\\p{N}_-])>?`, 'giu');
