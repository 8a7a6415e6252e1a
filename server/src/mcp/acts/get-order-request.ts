import { requireId } from '../../api/require-id.ts';
import { requireAskedOrder } from '../../approvals/find-asked-order.ts';
import { callerOf } from '../../authentication/caller.ts';
import { presentRequest } from '../present-request.ts';
import type { Act } from './act.ts';

export const getOrderRequest: Act = async ({ deps, request, given }) => {
  const caller = callerOf(request);
  const requestId = requireId('request', String(given['order_request_id']));
  return presentRequest(deps, caller, await requireAskedOrder(deps, caller, requestId));
};
