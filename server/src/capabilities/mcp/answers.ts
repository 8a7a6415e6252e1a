import { Type } from 'typebox';
import { Order } from '../../core/orders/schema.ts';

// Answers of tools that are not an answer of `/v1`; amounts in cents.

const cents = Type.Integer();

export const OrderPreviewAnswer = Type.Object({
  object: Type.String(),
  amount: cents,
  currency: Type.String(),
  balance: Type.Object({ available: cents, after: cents }),
  caps: Type.Array(
    Type.Object({
      of: Type.String(),
      period: Type.String(),
      cap: cents,
      left: cents,
      left_after: cents,
      resets_at: Type.Union([Type.String(), Type.Null()]),
    }),
  ),
  can_be_placed: Type.Boolean(),
  needs_approval: Type.Optional(Type.Boolean()),
  preview_token: Type.Optional(Type.String()),
  expires_at: Type.Optional(Type.String()),
  next_step: Type.Optional(Type.String()),
  refusal: Type.Optional(
    Type.Object({
      code: Type.String(),
      reason: Type.Optional(Type.String()),
      message: Type.String(),
      next_step: Type.String(),
    }),
  ),
});

const request = {
  object: Type.String(),
  order_request_id: Type.String(),
  amount: cents,
  currency: Type.String(),
  created_at: Type.String(),
  expires_at: Type.String(),
  reason: Type.Optional(Type.String()),
  order_id: Type.Optional(Type.String()),
  portal_url: Type.String(),
  next_step: Type.String(),
};

export const OrderRequestAnswer = Type.Object({ ...request, status: Type.String() });

/** An order, or the request for one: clients take no unions. */
export const PlacedAnswer = Type.Object({
  ...Type.Partial(Type.Object(request)).properties,
  ...Type.Partial(Order).properties,
  status: Type.String(),
});

export const FoundSections = Type.Object({
  data: Type.Array(
    Type.Object({
      title: Type.String(),
      heading: Type.String(),
      excerpt: Type.String(),
      url: Type.String(),
      markdown_url: Type.String(),
    }),
  ),
});

/** Fields that tools add to resources of `/v1`, by the name of their schema. */
export const added = {
  Order: {
    portal_url: Type.String(),
    next_step: Type.String(),
  },
  Gift: {
    portal_url: Type.String(),
    last_sent_at: Type.String(),
  },
} as const;
