import type { FastifyRequest, preValidationHookHandler } from 'fastify';
import { Type } from 'typebox';
import { BestowError } from '../base/errors.ts';
import { fingerprintOf } from '../base/fingerprint.ts';
import type { OnceRequest } from './act-once.ts';

export const IdempotencyKeyHeader = Type.Object({
  'Idempotency-Key': Type.String({
    minLength: 1,
    maxLength: 255,
    pattern: '^[ -~]{1,255}$',
    description:
      'A key that you make for this order, such as a random UUID: at most 255 printable ASCII characters. Retrying with the same key and body never charges twice.',
    examples: ['8f14e45f-ceea-467f-ab3c-5a1e2f0d9b77'],
  }),
});

/** The same for operations that are safe without a key. */
export const OptionalIdempotencyKeyHeader = Type.Object({
  'Idempotency-Key': Type.Optional(
    Type.String({
      ...IdempotencyKeyHeader.properties['Idempotency-Key'],
      description:
        'Optional: a key that you make for this request, such as a random UUID. A retry with the same key and body within 30 days does nothing again and answers with the resource as it is now.',
    }),
  ),
});

/** Whether a repetition answered with what an earlier request did. */
export const replayedHeader = {
  'Idempotent-Replayed': {
    description: 'Only if an earlier request with this key did it: `true`.',
    schema: { type: 'string', const: 'true' },
  },
};

/** @throws BestowError `parameter_invalid` if the header is missing, repeated, too long or not printable ASCII */
function requireIdempotencyKey({ headers, raw }: FastifyRequest): string {
  const key = headers['idempotency-key'];
  // Node joins a repeated header with a comma; the intended key would be ambiguous.
  const isRepeated = key?.includes(',') && (raw.headersDistinct['idempotency-key']?.length ?? 0) > 1;
  if (typeof key === 'string' && !isRepeated && /^[ -~]{1,255}$/.test(key)) return key;
  throw new BestowError('parameter_invalid', {
    param: 'Idempotency-Key',
    message: 'Send one Idempotency-Key header of 1 to 255 printable ASCII characters, such as a random UUID.',
  });
}

/** Returns the header of a request that `checkIdempotencyKey` let pass. */
export const idempotencyKeyOf = ({ headers }: FastifyRequest): string => String(headers['idempotency-key']);

/** Checks the header before the body. */
export const checkIdempotencyKey: preValidationHookHandler = (request, _reply, done) => {
  requireIdempotencyKey(request);
  done();
};

/** Checks an optional header before the body. */
export const checkOptionalIdempotencyKey: preValidationHookHandler = (request, _reply, done) => {
  optionalIdempotencyKey(request);
  done();
};

const optionalIdempotencyKey = (request: FastifyRequest) =>
  request.headers['idempotency-key'] === undefined ? undefined : requireIdempotencyKey(request);

/** The request as `actOnce` remembers it. @throws BestowError `parameter_invalid` */
export const onceRequestOf = (request: FastifyRequest): OnceRequest => ({
  key: optionalIdempotencyKey(request),
  operation: `${request.method} ${request.url.split('?')[0]}`,
  fingerprint: Buffer.from(fingerprintOf(request.body ?? null), 'hex'),
});
