import { OperatorError } from '../base/operator-error.ts';
import { BestowError, catalogue } from '../errors.ts';
import type { RateLimitState } from '../rate-limits/rate-limit.ts';

/** The portal's own codes, beside those of `/v1` that its acts throw. */
const statuses = {
  sign_in_required: 401,
  sign_in_again: 403,
  admin_required: 403,
  foreign_origin: 403,
  not_found: 404,
  parameter_invalid: 422,
  /** An act refuses; the message says why, in a sentence for the person. */
  refused: 422,
  too_many_tries: 429,
} as const;

type PortalErrorCode = keyof typeof statuses;

const sentences: Record<Exclude<PortalErrorCode, 'refused' | 'parameter_invalid' | 'too_many_tries'>, string> = {
  sign_in_required: 'Sign in to go on.',
  sign_in_again: 'You signed in more than ten minutes ago. Sign in again before you change how you sign in.',
  admin_required: 'Only admins of the organization may do this. Ask one of them.',
  foreign_origin: 'This was sent by a page of another site and was not done.',
  not_found: 'There is nothing here.',
};

/** What the portal answers instead of doing what was asked. */
export class PortalError extends Error {
  readonly code: PortalErrorCode;
  readonly param: string | undefined;

  constructor(code: keyof typeof sentences);
  constructor(code: PortalErrorCode, message: string, param?: string);
  constructor(code: PortalErrorCode, message?: string, param?: string) {
    super(message ?? sentences[code as keyof typeof sentences]);
    this.code = code;
    this.param = param;
  }
}

/** Refused for now: the same may be done again after some time. */
export class TooManyTries extends PortalError {
  readonly retryAfterSeconds: number;

  /** @param message the sentence for the person; it is given how long to wait: `a minute` or `20 minutes` */
  constructor({ retryAfterSeconds }: Pick<RateLimitState, 'retryAfterSeconds'>, message: (wait: string) => string) {
    super('too_many_tries', message(minutesOf(retryAfterSeconds)));
    this.retryAfterSeconds = retryAfterSeconds;
  }
}

function minutesOf(seconds: number): string {
  const minutes = Math.ceil(seconds / 60);
  return minutes === 1 ? 'a minute' : `${minutes} minutes`;
}

interface PortalErrorAnswer {
  status: number;
  code: string;
  message: string;
  param: string | undefined;
  /** Only where the same may succeed after so long. */
  retryAfterSeconds: number | undefined;
}

/** What to tell the person of an error; undefined: it was not expected, and is logged. */
export function answerOf(error: unknown): PortalErrorAnswer | undefined {
  if (error instanceof PortalError) {
    const retryAfterSeconds = error instanceof TooManyTries ? error.retryAfterSeconds : undefined;
    return { ...pick(error), status: statuses[error.code], retryAfterSeconds };
  }
  // What an act misses is answered like every page that does not exist, in the portal's words.
  if (error instanceof BestowError && error.code === 'resource_missing') return answerOf(new PortalError('not_found'));
  if (error instanceof BestowError) {
    const { status, retry } = catalogue[error.code];
    return { ...pick(error), status, retryAfterSeconds: retry === 'yes' ? error.retryAfterSeconds : undefined };
  }
  if (error instanceof OperatorError) return answerOf(new PortalError('refused', error.message));
  return undefined;
}

const pick = ({ code, message, param }: { code: string; message: string; param?: string | undefined }) => ({
  code,
  message,
  param,
});
