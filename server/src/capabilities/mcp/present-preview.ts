import { endOfWindow } from '../../core/caps/cap-refusal.ts';
import type { OrderPreview } from '../../core/orders/preview-order.ts';
import type { KeptPreview } from '../previews/keep-preview.ts';
import { nextStep } from './next-step.ts';

/** A preview as an agent reads it; amounts in cents. @param kept only if the order can be placed */
export function presentPreview(
  { amountCents, balanceCents, caps, refusal, needsApproval }: OrderPreview,
  currency: string,
  kept: KeptPreview | undefined,
): object {
  const balanceAfter = balanceCents - amountCents;
  return {
    object: 'order_preview',
    amount: amountCents,
    currency,
    balance: { available: balanceCents, after: refusal === undefined ? balanceAfter : balanceCents },
    caps: caps.map(({ of, period, cap_cents, spent_cents, amount_cents, window_started_at }) => ({
      of,
      period,
      cap: cap_cents,
      left: Math.max(0, cap_cents - spent_cents),
      left_after: Math.max(0, cap_cents - spent_cents - (refusal === undefined ? amount_cents : 0)),
      resets_at: endOfWindow({ period, window_started_at }) ?? null,
    })),
    can_be_placed: refusal === undefined,
    ...(needsApproval ? { needs_approval: true } : {}),
    ...(kept === undefined
      ? {}
      : {
          preview_token: kept.token,
          expires_at: kept.expiresAt,
          next_step: `Call place_order with this token.${needsApproval ? ' An admin must approve the order before it is bought: the answer has the address where they do.' : ''}`,
        }),
    ...(refusal === undefined
      ? {}
      : {
          refusal: {
            code: refusal.code,
            ...(refusal.reason === undefined ? {} : { reason: refusal.reason }),
            message: refusal.message,
            next_step: nextStep(refusal.code, undefined, refusal.reason),
          },
        }),
  };
}
