/** Every type of event, with its description (docs/events.md). */
export const eventTypes = {
  'order.created': 'An order was placed and paid for.',
  'order.processed': 'Every gift of a `processing` order exists now.',
  'order.canceled': 'Every unclaimed gift of an order was canceled.',
  'order_request.approved': 'An admin approved the order of an agent, which is placed.',
  'order_request.declined': 'An admin declined the order of an agent.',
  'order_request.expired': 'No admin decided on the order of an agent for 30 days.',
  'gift.sent': 'A mail or text message provider accepted the gift’s message.',
  'gift.delivered': 'The gift’s message arrived.',
  'gift.delivery_failed': 'The gift’s message could not be delivered.',
  'gift.redirected': 'The gift goes to another address, its links were replaced, or it was sent once more.',
  'gift.opened': 'The recipient opened the gift.',
  'gift.claimed': 'The recipient redeemed the gift onto a card.',
  'gift.spent': 'The recipient paid with the card.',
  'gift.thanked': 'The recipient wrote a thank-you note.',
  'gift.declined': 'The recipient said that they do not want the gift. They can still claim it.',
  'gift.canceled': 'The gift is void, and its value is back in the balance.',
  'gift.expired': 'The gift was not claimed in time, and its value is back in the balance.',
  'balance.funded': 'Funds were added to the balance, or it was adjusted.',
  'balance.low': 'The balance fell below the threshold of its alert.',
  'key.created': 'An API key was created.',
  'key.revoked': 'An API key was revoked.',
  'organization.suspended': 'The operator suspended the organization.',
  'database.restored': 'The operator restored the database to an earlier time: later events never happened.',
  'sandbox.reset': 'Everything in the sandbox was deleted, also its earlier events.',
} as const;

export type EventType = keyof typeof eventTypes;
