import { isUnavailable } from '../../capabilities/stripe/is-unavailable.ts';
import { BestowError } from '../../platform/base/errors.ts';
import { OperatorError } from '../../platform/base/operator-error.ts';

/** What an act does not find is answered like an unknown page; what it refuses, with its own sentence. */
export function inPortalTerms(error: unknown): unknown {
  if (error instanceof BestowError && error.code === 'resource_missing') return new BestowError('not_found');
  if (isUnavailable(error)) return new BestowError('provider_unavailable');
  if (error instanceof OperatorError) return new BestowError('refused', { message: error.message });
  return error;
}
