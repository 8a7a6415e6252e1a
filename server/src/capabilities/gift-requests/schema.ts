import { type Static, Type } from 'typebox';
import { NAME_PATTERN, PORTABLE_NAME_PATTERN } from '../../core/gifts/gift/schema.ts';
import { GiftMethod } from '../../core/gifts/gift/shown-state.ts';
import { ADDRESS_OF_PERSON, TEXT_OF_PERSON } from '../../platform/api/mask-people.ts';
import { Cents, nullable, oneOf, Time } from '../../platform/api/schema.ts';

declare module '../../platform/base/ids.ts' {
  interface IdPrefixes {
    /** gift or order that waits for an admin */
    ask: true;
  }
}

export const RequestState = oneOf('open', 'approved', 'declined', 'withdrawn', 'expired');
export type RequestState = Static<typeof RequestState>;

const MAX_REASON = 280;

export const DeclineInput = Type.Object({
  reason: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: MAX_REASON,
      pattern: NAME_PATTERN,
      'x-portable-pattern': PORTABLE_NAME_PATTERN,
      'x-rule': `must be 1 to ${MAX_REASON} characters without line breaks or control characters`,
    }),
  ),
});

export const RequestedGift = Type.Object({
  amount: Cents,
  category: Type.String(),
  method: GiftMethod,
  address: nullable(Type.String(ADDRESS_OF_PERSON)),
  recipient_name: nullable(Type.String(TEXT_OF_PERSON)),
  sender_name: nullable(Type.String()),
  message: nullable(Type.String(TEXT_OF_PERSON)),
  language: nullable(Type.String()),
  send_at: nullable(Type.String()),
});

export const GiftRequest = Type.Object(
  {
    gift_request_id: Type.String(),
    state: RequestState,
    amount: Cents,
    category: nullable(Type.String({ description: 'Null of an order and of a batch.' })),
    gifts: nullable(Type.Array(RequestedGift, { description: 'One, or those of an order. Null of a batch.' })),
    requested_by: nullable(Type.String({ description: 'The member’s email address; null if an agent asked.' })),
    agent: nullable(Type.String({ description: 'The name of the agent’s grant; null if a member asked.' })),
    is_own: Type.Boolean({ description: 'Whether the caller asked for it.' }),
    created_at: Time,
    expires_at: Time,
    decided_by: nullable(Type.String({ description: 'Null if no person decided.' })),
    decided_at: nullable(Time),
    reason: nullable(Type.String(TEXT_OF_PERSON)),
    order_id: nullable(Type.String()),
    batch_id: nullable(Type.String({ description: 'The batch that starts when it is approved.' })),
    approvals: Type.Object({
      needed: Type.Integer({ description: 'One or two.' }),
      given_by: Type.Array(Type.String(), { description: 'Addresses of members.' }),
    }),
    may_decide: Type.Boolean({ description: 'Whether the caller may approve or decline it.' }),
    rule: nullable(
      Type.Object(
        { name: Type.String(), occasion: oneOf('birthday', 'work_anniversary') },
        { description: 'The rule of yearly gifts that asks; null if a person or an agent does.' },
      ),
    ),
    doubt: nullable({
      ...oneOf('removed', 'changed', 'not_meant', 'paused'),
      description:
        'Of an open request of a yearly rule, if a person kept it: the contact was deleted, was changed or no longer gets this gift, or the rule was paused.',
    }),
  },
  { $id: 'GiftRequest', description: 'What a member or an agent asks for. `gifts` is null once it is decided.' },
);
export type GiftRequest = Static<typeof GiftRequest>;

export const OpenRequests = Type.Object({
  count: Type.Integer({ description: 'Requests that wait for a decision, at most 100.' }),
  has_more: Type.Boolean(),
});
