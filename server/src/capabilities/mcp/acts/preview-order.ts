import { previewOrder as preview } from '../../../core/orders/preview-order.ts';
import { callerOf } from '../../../platform/authentication/caller.ts';
import { keepPreview } from '../../previews/keep-preview.ts';
import { presentPreview } from '../present-preview.ts';
import type { Act } from './act.ts';

export const previewOrder: Act = async ({ deps, request, given, readOrder }) => {
  const caller = callerOf(request);
  const order = readOrder(given);
  const previewed = await preview(deps, caller, order);
  const kept = previewed.refusal === undefined ? await keepPreview(deps, caller, order) : undefined;
  return presentPreview(previewed, deps.config.currency, kept);
};
