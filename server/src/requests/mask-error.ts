import type { BestowError } from '../errors.ts';
import { maskFieldName } from './mask-text.ts';

/** The part of a param that is ours; what follows may be a field that we do not know, with any name at all. */
const OUR_PATH = /^(?:(?:gifts(?:\[\d+\])?|delivery|personalization)(?:\.|$))*/;

interface MaskedError {
  error_message: string;
  error_param: string | null;
}

/** What an error said to the caller, without the text of a field that should not have been there. */
export function maskError({ message, param }: BestowError, mailDomain: string): MaskedError {
  if (param === undefined) return { error_message: message, error_param: null };
  const ours = OUR_PATH.exec(param)?.[0] ?? '';
  const rest = param.slice(ours.length);
  const shown = rest === '' ? param : ours + maskFieldName(rest, mailDomain);
  return { error_message: message.replaceAll(param, () => shown), error_param: shown };
}
