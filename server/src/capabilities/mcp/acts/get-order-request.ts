import { requireId } from '../../../platform/api/require-id.ts';
import { callerOf } from '../../../platform/authentication/caller.ts';
import { requireAskedOrder } from '../../gift-requests/find-asked-order.ts';
import { presentRequest } from '../present-request.ts';
import type { Act } from './act.ts';

export const getOrderRequest: Act = async ({ deps, request, given }) => {
  const caller = callerOf(request);
  const requestId = requireId('ask', String(given['order_request_id']));
  return presentRequest(deps, caller, await requireAskedOrder(deps, caller, requestId));
};
