import assert from 'node:assert/strict';
import { fieldsOfGift } from '../../src/core/gifts/gift/gift-fields.ts';
import type { Environment } from '../../src/platform/base/environment.ts';
import type { TestOrganization } from './test-service.ts';

/** The portal's path of gifts, of one gift, or of a part of it. */
export const giftsPath = ({ organizationId }: TestOrganization, more = '', environment: Environment = 'sandbox') =>
  `/organizations/${organizationId}/${environment}/gifts${more}`;

/** Places an order; returns it with the ids of its gifts. */
export async function orderGifts(
  organization: TestOrganization,
  gifts: object[],
  environment: Environment = 'sandbox',
): Promise<[string, ...string[]]> {
  const { status, body } = await organization[environment].order(gifts);
  assert.equal(status, 201, JSON.stringify(body));
  return body.gifts.map(({ gift_id }: { gift_id: string }) => gift_id) as [string, ...string[]];
}

const isNullable = (schema: { anyOf?: { type?: string }[] } = {}) => schema.anyOf?.some(({ type }) => type === 'null');

/** A gift in the portal's lists of which nothing is known: what may be null is null. */
export const blankGift: Record<string, unknown> = Object.fromEntries(
  fieldsOfGift.flatMap(({ name, portal }) => (isNullable(portal) ? [[name, null]] : [])),
);
