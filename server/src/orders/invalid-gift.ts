import type { Environment } from '../base/environment.ts';
import type { Destination } from '../gifts/address.ts';
import { readSendTime } from '../gifts/send-time.ts';
import { isImpossibleLiveAddress } from '../sandbox/steering.ts';

/** What is wrong with a gift of an order, for the error. */
export interface InvalidGift {
  position: number;
  param: string;
  message: string;
}

interface Read {
  environment: Environment;
  mailDomain: string;
  target: Destination;
  /** When the gift is sent; undefined: at once. */
  sendAt: Date | string | undefined;
}

/** @param sendAt as the caller wrote it @returns the time, or the broken rule, as `readSendTime` */
export const sendTimeOf = (sendAt: string | null | undefined, now: Date): Date | string | undefined =>
  sendAt == null ? undefined : readSendTime(sendAt, now);

/** Returns the first gift that breaks a rule of its address or its time; the address comes first. */
export function findInvalidGift(gifts: readonly Read[]): InvalidGift | undefined {
  for (const [position, gift] of gifts.entries()) {
    const [field, rule] = faultOf(gift) ?? [];
    const param = `gifts[${position}].${field}`;
    if (rule !== undefined) return { position, param, message: `${param} ${rule}.` };
  }
  return undefined;
}

function faultOf({
  environment,
  mailDomain,
  target,
  sendAt,
}: Read): readonly [field: string, rule: string] | undefined {
  if (isImpossibleLiveAddress(environment, mailDomain, target))
    return ['delivery.email', `must not be in ${mailDomain}: a live gift cannot reach an address that does not exist`];
  if (sendAt === undefined) return undefined;
  if (target.method === 'link') return ['send_at', 'is for gifts that the service sends: you hand a link out yourself'];
  return typeof sendAt === 'string' ? ['send_at', sendAt] : undefined;
}
