import type { KeyCaller } from '../authentication/caller.ts';
import type { Deps } from '../deps.ts';
import { BestowError } from '../errors.ts';

const MESSAGES = {
  expired:
    'This preview_token has expired. If you called place_order with it before, look for the gifts with list_gifts first. Otherwise call preview_order again.',
  foreign:
    'This preview_token does not belong to this order and API key. Send the order exactly as it was previewed, or call preview_order again and place the order with its token.',
};

/** @throws BestowError `parameter_invalid` unless the token is of this order and key, and not expired */
export function requirePreviewed(
  { previewTokens, clock }: Pick<Deps, 'previewTokens' | 'clock'>,
  caller: KeyCaller,
  { preview_token: token, ...body }: Record<string, unknown>,
): void {
  const state = previewTokens.check(String(token), { caller, body }, clock.now());
  if (state !== 'valid')
    throw new BestowError('parameter_invalid', { param: 'preview_token', message: MESSAGES[state] });
}
