import { BestowError } from '../base/errors.ts';

/** U+FFFD, which a program writes for bytes that it cannot read. */
const LOST = '\ufffd';
/** The texts that recipients read. */
const FIELDS = ['recipient_name', 'sender_name', 'message', 'footer', 'subject'] as const;

type Texts = { readonly [Field in (typeof FIELDS)[number]]?: string | null | undefined };

/**
 * Returns the refusal of the first name or message that lost letters. Only the portal asks: the contract of `/v1` allows the
 * sign.
 *
 * @param path of the texts in the body, such as `gift.personalization.`
 */
export function lostLetters(texts: Texts = {}, path = ''): BestowError | undefined {
  const field = FIELDS.find((name) => texts[name]?.includes(LOST));
  if (field === undefined) return undefined;
  const param = `${path}${field}`;
  const reason = 'It stands for letters that were lost when a file was read or a text was copied.';
  const message = `${param} has the sign ${LOST}. ${reason} Write the text again.`;
  return new BestowError('parameter_invalid', { param, message });
}

/** @throws BestowError `parameter_invalid` if a name or message lost letters */
export function refuseLostLetters(texts?: Texts, path?: string): void {
  const refusal = lostLetters(texts, path);
  if (refusal !== undefined) throw refusal;
}
