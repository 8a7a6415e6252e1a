import { steeringTable } from '../sandbox/steering-table.ts';

/** The introduction of the OpenAPI document. */
export function apiDescription(mailDomain: string): string {
  return `Buy gifts and send them to people by email, phone or link. Amounts are whole cents of one currency.

**Keys.** Send a key as \`Authorization: Bearer <API_KEY>\` with every request. The first start prints two keys; admins create more in the portal, the operator with \`bestow key create\`.

**Environments.** Live and sandbox share one address; the API key decides which of them answers. To go live, change only the key.

**Retrying.** An answer with an \`error\` object means that nothing happened. A time-out, a dropped connection or a failure without an \`error\` object means that the outcome is unknown: retry with the same \`Idempotency-Key\`. Wait 0.5 s, 1 s, 2 s … at most 10 s, with some jitter, and honour \`Retry-After\` (seconds).

**Steering the sandbox.** In the sandbox the recipient’s address decides the outcome of a gift. Add a \`+label\` to the local part to keep parallel tests apart. Any other address leaves the gift pending until you simulate the next step. The sandbox sends no messages. Deliveries always fail to \`delivery-failed@${mailDomain}\`.

${steeringTable(mailDomain)}

A failure of the whole order wins over other effects; of two failures the first gift’s wins. The operations that steering reaches have \`x-mockable: true\`. In a redirect \`processing\`, \`insufficient-balance\` and \`rate-limited\` have no effect.`;
}
