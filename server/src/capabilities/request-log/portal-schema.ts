import { type Static, Type } from 'typebox';
import { nullable, oneOf, Time } from '../../platform/api/schema.ts';

/** Logged requests as the portal shows them. */
const summary = {
  request_id: Type.String({ description: 'The answer’s `Request-Id`.' }),
  created_at: Time,
  method: Type.String(),
  path: Type.String({ description: 'With its query; personal data is masked.' }),
  tool: nullable(Type.String({ description: 'The tool that an agent called.' })),
  status: Type.Integer({ description: 'Of a tool that refused, the status of its error.' }),
  error_code: nullable(Type.String()),
  key_id: Type.String(),
  duration_ms: Type.Number(),
};

export const RequestSummary = Type.Object(summary, { $id: 'RequestSummary' });
export type RequestSummary = Static<typeof RequestSummary>;

export const LoggedRequest = Type.Object(
  {
    ...summary,
    error_message: nullable(Type.String()),
    error_param: nullable(Type.String()),
    client: nullable(Type.String({ description: 'The program that an agent’s client says it is.' })),
    client_address: nullable(Type.String()),
    body: nullable(Type.String({ description: 'JSON with masked addresses and names; `…` marks a cut.' })),
    body_bytes: nullable(Type.Integer({ description: 'The body’s length.' })),
    answer: nullable(Type.String({ description: 'The JSON of an answer below 300, masked in the same way.' })),
    answer_bytes: nullable(Type.Integer({ description: 'The answer’s length.' })),
  },
  { $id: 'LoggedRequest' },
);
export type LoggedRequest = Static<typeof LoggedRequest>;

export const RequestOutcome = oneOf('succeeded', 'failed', 'client_error', 'server_error');
export type RequestOutcome = Static<typeof RequestOutcome>;
