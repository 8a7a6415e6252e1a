import { BestowError, type ErrorCode } from '../../../platform/base/errors.ts';

/** What other doors did to a gift, for which the specification has no code. */
type Finer = 'gift_on_hold' | 'gift_canceled' | 'gift_scheduled';

/**
 * Awaits an act for one of the specification's own operations, whose clients know only the codes of the specification: the
 * finer code becomes `error.reason`.
 *
 * @param codes what the operation answers instead
 */
export async function withContractCodes<Result>(
  codes: Partial<Record<Finer, ErrorCode>>,
  acting: Promise<Result>,
): Promise<Result> {
  try {
    return await acting;
  } catch (error) {
    if (!(error instanceof BestowError) || !isFiner(error.code)) throw error;
    const code = codes[error.code];
    throw code === undefined ? error : new BestowError(code, { message: error.message, reason: error.code });
  }
}

const isFiner = (code: string): code is Finer => ['gift_on_hold', 'gift_canceled', 'gift_scheduled'].includes(code);
