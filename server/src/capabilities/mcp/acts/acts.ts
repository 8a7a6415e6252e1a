import type { ToolName } from '../declarations.ts';
import type { Act } from './act.ts';
import { getOrder } from './get-order.ts';
import { getOrderRequest } from './get-order-request.ts';
import { placeOrder } from './place-order.ts';
import { previewOrder } from './preview-order.ts';
import { redirectGift } from './redirect-gift.ts';
import { searchDocs } from './search-docs.ts';
import { sentGift } from './sent-gift.ts';
import { waitForEvents } from './wait-for-events.ts';

/** The tools that do more than call their operation. */
export const acts: Partial<Record<ToolName, Act>> = {
  preview_order: previewOrder,
  place_order: placeOrder,
  get_order: getOrder,
  get_order_request: getOrderRequest,
  get_gift: sentGift('retrieveGift', { expand: 'history' }),
  resend_gift: sentGift('resendGift'),
  replace_link: sentGift('replaceGiftLink'),
  schedule_gift: sentGift('scheduleGift'),
  redirect_gift: redirectGift,
  wait_for_events: waitForEvents,
  search_docs: searchDocs,
};
