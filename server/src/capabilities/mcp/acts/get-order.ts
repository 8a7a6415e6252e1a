import { BestowError } from '../../../platform/base/errors.ts';
import type { Act } from './act.ts';

export const getOrder: Act = async ({ given: { order_id, external_id }, call }) => {
  if ((order_id == null) === (external_id == null))
    throw new BestowError('parameter_invalid', {
      param: 'order_id',
      message: 'Send either order_id or external_id.',
    });
  if (order_id != null) return call('retrieveOrder', { order_id, expand: 'history' });
  const { data } = (await call('listOrders', { external_id, limit: 1, expand: 'history' })) as { data: object[] };
  const [found] = data;
  if (found !== undefined) return found;
  throw new BestowError('resource_missing', { message: 'No order has this external_id.' });
};
