import { type Static, Type } from 'typebox';
import { eraseRecipient } from '../../capabilities/erasure/erase-recipient.ts';
import { exportRecipient } from '../../capabilities/reports/export-recipient.ts';
import { NewAddress } from '../../core/gifts/gift/portal-schema.ts';
import { Reason } from '../../faces/operator-acts/schemas.ts';
import { nullable } from '../../platform/api/schema.ts';
import { destination } from '../../platform/base/destination.ts';
import { maskAddress } from '../../platform/base/mask-address.ts';
import type { AllDeps } from '../deps.ts';
import type { OperatorRegister } from './register.ts';

const Count = Type.Integer();

const Recipient = Type.Object({
  recipient: NewAddress,
  organization_id: nullable(Type.String({ maxLength: 40, description: 'Null: all organizations.' })),
  reason: Reason,
});

/** The log outlives an erasure, so it has no full address. */
const aboutRecipient = ({ body }: { body: Static<typeof Recipient> }) => ({
  recipient: maskAddress(destination(body.recipient).address ?? ''),
  ...(body.organization_id !== null && { organization_id: body.organization_id }),
});

/** A person's data in all organizations, as `bestow recipient` exports and erases it. */
export function recipientRoutes(register: OperatorRegister, deps: AllDeps): void {
  register(
    {
      method: 'POST',
      path: '/recipients/export',
      operationId: 'exportRecipient',
      tag: 'People',
      summary: 'All that is held of a recipient. It is in the audit log of each organization that holds something.',
      body: Recipient,
      response: Type.Object({
        address: Type.String(),
        organizations: Type.Array(Type.Any()),
        memberships: Type.Array(Type.String()),
      }),
    },
    ({ body: { recipient, organization_id: organizationId }, actor }) =>
      exportRecipient(deps, { recipient, organizationId: organizationId ?? undefined, actor }),
    aboutRecipient,
  );

  register(
    {
      method: 'POST',
      path: '/recipients/erase',
      operationId: 'eraseRecipient',
      tag: 'People',
      summary: 'Erases a person’s name and address from every gift and message. Amounts and orders stay.',
      body: Recipient,
      response: Type.Object({
        organizations: Count,
        gifts: Count,
        messages: Count,
        messages_cancelled: Count,
        gifts_elsewhere: Type.Integer({
          description: 'Redirected to another address, which may be the same person’s.',
        }),
        gifts_unclaimed: Type.Integer({ description: 'Opened but not claimed: their links work until they expire.' }),
        orders_processing: Count,
        idempotency_keys_left: Type.Integer({ description: 'Kept, so that no retry pays twice.' }),
        memberships_left: Type.Integer({ description: 'Members are not recipients and stay.' }),
      }),
    },
    ({ body: { recipient, organization_id: organizationId }, actor }) =>
      eraseRecipient(deps, { recipient, ...(organizationId !== null && { organizationId }), actor }),
    aboutRecipient,
  );
}
