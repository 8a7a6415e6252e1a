import { Type } from 'typebox';
import { Environment, nullable, Time } from '../api/schema.ts';

/** An event of an audit log, as pages show it. */
export const AuditEvent = Type.Object(
  {
    event_id: Type.String(),
    environment: nullable(Environment),
    action: Type.String({ description: 'An action of the filter, or one of a newer version.' }),
    sentence: Type.String({ description: 'What was done. Show it after the actor’s name.' }),
    target: nullable(Type.String({ description: 'The id of the changed object.' })),
    actor: Type.Object({
      kind: Type.Union([
        Type.Literal('member'),
        Type.Literal('operator'),
        Type.Literal('key'),
        Type.Literal('recipient'),
      ]),
      member_id: nullable(Type.String()),
      name: Type.String(),
      address: Type.String({ description: 'The IP address of a member or a key’s client, the operator’s host.' }),
    }),
    created_at: Time,
  },
  { $id: 'AuditEvent' },
);
