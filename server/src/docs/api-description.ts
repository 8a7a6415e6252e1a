import { steeringTable } from '../sandbox/steering-table.ts';

/** The introduction of the OpenAPI document. */
export function apiDescription(mailDomain: string): string {
  return `Buy gifts and send them to people by email, phone or link. Amounts are whole cents of one currency.

**Keys.** Send a key as \`Authorization: Bearer <API_KEY>\` with every request. A first start prints two; the operator makes more with \`bestow key create\`.

**Environments.** One address serves live and sandbox; the API key decides which answers. Moving from sandbox to live needs only another key.

**Retrying.** An answer with an \`error\` object means that nothing happened. A time-out, a dropped connection or a failure without an \`error\` object means that the outcome is unknown: send the same request again with the same \`Idempotency-Key\`. Wait 0.5 s, 1 s, 2 s … at most 10 s, with some jitter, and honour \`Retry-After\` (seconds).

**Steering the sandbox.** The address that a sandbox gift is sent to decides what becomes of it. A \`+label\` may follow the local part, so that parallel tests stay apart. Every other address leaves the gift pending until you simulate what happens. The sandbox sends no message to anyone. The address whose delivery always fails is \`delivery-failed@${mailDomain}\`.

${steeringTable(mailDomain)}

A failure of the whole order wins over the rest; of two, the first gift’s. The operations that steering reaches carry \`x-mockable: true\`; when a gift is redirected, \`processing\`, \`insufficient-balance\` and \`rate-limited\` have no meaning and steer nothing.`;
}
