import { previewOrder as preview } from '../../../core/orders/preview-order.ts';
import { callerOf } from '../../../platform/authentication/caller.ts';
import { presentPreview } from '../present-preview.ts';
import type { Act } from './act.ts';

const TOKEN_MS = 3_600_000;

export const previewOrder: Act = async ({ deps, request, given, readOrder }) => {
  const caller = callerOf(request);
  const previewed = await preview(deps, caller, readOrder(given));
  const expiresAtMs = deps.clock.now() + TOKEN_MS;
  const { firstKeyId } = previewed;
  const sign = () => deps.previewTokens.sign({ scope: caller, firstKeyId, body: given }, expiresAtMs);
  return presentPreview(previewed, deps.config.currency, sign, new Date(expiresAtMs));
};
