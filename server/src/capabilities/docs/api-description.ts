import { steeringTable } from '../../core/sandbox/steering-table.ts';

const ORDERS = `Buy gifts: one debit per order, never twice.

**Retrying.** An answer with an \`error\` object means that nothing happened. A time-out, a dropped connection or a failure without an \`error\` object, such as a gateway’s 502, means that the outcome is unknown: retry with the same \`Idempotency-Key\`. Wait 0.5 s, 1 s, 2 s … at most 10 s, with some jitter, and honour \`Retry-After\` (seconds).`;

const WEBHOOKS =
  'Addresses that events are pushed to, after Standard Webhooks 1.0. An event that is not accepted is tried ten times over 75 hours.';

const sandbox = (mailDomain: string) => `Simulate what a recipient does. Sandbox keys only.

**Steering.** In the sandbox the recipient’s address decides the outcome of a gift. Add a \`+label\` to the local part to keep parallel tests apart. Any other address leaves the gift pending until you simulate the next step. The sandbox sends no messages. Deliveries always fail to \`delivery-failed@${mailDomain}\`.

${steeringTable(mailDomain)}

A failure of the whole order wins over other effects; of two failures the first gift’s wins. The operations that steering reaches have \`x-mockable: true\`. In a redirect \`processing\`, \`insufficient-balance\` and \`rate-limited\` have no effect.`;

/** The resources of `/v1`: the tags of the OpenAPI document, each with a page of the API reference. */
export const resources = [
  'Catalog',
  'Orders',
  'Gifts',
  'Contacts',
  'Balance',
  'Ledger',
  'Webhooks',
  'Events',
  'Sandbox',
  'Meta',
] as const;

export type Resource = (typeof resources)[number];

const descriptions = (mailDomain: string): Record<Resource, string> => ({
  Catalog: 'The categories of gifts.',
  Orders: ORDERS,
  Gifts: 'The status of each gift.',
  Contacts: 'The people to whom you send gifts, with tags, a birthday and a work anniversary.',
  Balance: 'What the organization can spend, and each change of it.',
  Ledger: 'Proofs that no entry of the ledger was changed or removed.',
  Webhooks: WEBHOOKS,
  Events: 'What happened, in the order of commits and without holes.',
  Sandbox: sandbox(mailDomain),
  Meta: 'About the service itself; no key needed.',
});

/**
 * The tags of the OpenAPI document, with its introduction: generators copy the document's own description into every file
 * that they write.
 */
export const apiTags = (mailDomain: string) => {
  const described = descriptions(mailDomain);
  return resources.map((name) => ({ name, description: described[name] }));
};
