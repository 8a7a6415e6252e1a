import type { BestowError } from '../../platform/base/errors.ts';
import { maskFieldName } from './mask-text.ts';

/** The known part of a param; the rest may be an unknown field with any name. */
const OUR_PATH = /^(?:(?:gifts(?:\[\d+\])?|delivery|personalization)(?:\.|$))*/;

interface MaskedError {
  error_message: string;
  error_param: string | null;
}

/** Masks the names of unknown fields in an error's message and param. */
export function maskError({ message, param }: BestowError, mailDomain: string): MaskedError {
  if (param === undefined) return { error_message: message, error_param: null };
  const ours = OUR_PATH.exec(param)?.[0] ?? '';
  const rest = param.slice(ours.length);
  const shown = rest === '' ? param : ours + maskFieldName(rest, mailDomain);
  return { error_message: message.replaceAll(param, () => shown), error_param: shown };
}
