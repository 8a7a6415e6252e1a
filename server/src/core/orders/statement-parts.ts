import { ERASED_FINGERPRINT } from '../gifts/gift/address.ts';

/** Update that erases what the fingerprints of orders `o` of `$1`, and their metadata, tell of their recipients. */
export const forgetRecipients = (orders: string, metadata = 'null') =>
  `update orders o set fingerprint = '${ERASED_FINGERPRINT}', metadata = ${metadata}
     where o.organization_id = $1 and (o.environment, o.order_id) in (${orders})
     returning 1`;
