import { hash } from 'node:crypto';

/** The holder of a recipient's counter: a hash, so that counters hold no addresses. */
export const recipientHolder = (organizationId: string, address: string): string =>
  hash('sha256', `${organizationId} ${address.toLowerCase()}`);
