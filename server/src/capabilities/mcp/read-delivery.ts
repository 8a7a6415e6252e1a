import { BestowError } from '../../platform/base/errors.ts';
import type { Arguments } from './operation-request.ts';

export const isObject = (value: unknown): value is Arguments =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const ADDRESSES = ['email', 'phone'];
const METHODS = [...ADDRESSES, 'link'];

/**
 * Turns a delivery with all fields side by side into the operation's form, which has only those of its method.
 *
 * @param path of the argument, for the error
 * @throws BestowError `parameter_invalid` for an address that does not go with the method
 */
export function readDelivery(delivery: unknown, path: string): unknown {
  if (!isObject(delivery)) return delivery;
  const given = Object.entries(delivery).filter(([name, value]) => value !== null || !ADDRESSES.includes(name));
  const { method } = delivery;
  const wrong = given.find(([name]) => ADDRESSES.includes(name) && name !== method)?.[0];
  if (wrong === undefined || !METHODS.some((one) => one === method)) return Object.fromEntries(given);
  const instead = method === 'link' ? 'a link gift has no address' : `the method ${method} needs ${method}`;
  const message = `${path}.${wrong} does not go with the method ${method}: ${instead}. Leave it out, or use the method ${wrong}.`;
  throw new BestowError('parameter_invalid', { param: `${path}.${wrong}`, message });
}

/** The same for each gift of an order. */
export function readDeliveries(order: Arguments): Arguments {
  const { gifts } = order;
  if (!Array.isArray(gifts)) return order;
  const read = gifts.map((gift, index) =>
    isObject(gift) && 'delivery' in gift
      ? { ...gift, delivery: readDelivery(gift['delivery'], `gifts[${index}].delivery`) }
      : gift,
  );
  return { ...order, gifts: read };
}
