import type { IncomingMessage } from 'node:http';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { TSchema } from 'typebox';
import { createBodyValidators } from '../api/validate.ts';
import type { Identification } from '../authentication/identify.ts';
import { BestowError } from '../errors.ts';
import { hasBody, readBody } from './read-body.ts';

/** Reads and validates bodies as their routes say. */
export function addBodyParser(app: FastifyInstance, identification: Identification, schemas: readonly TSchema[]): void {
  // Fastify reads no body of a GET, but a body over the limit must be refused and the rest skipped.
  app.addHook('preParsing', (request, reply, _payload, done) => {
    const { raw } = request;
    const comesWithBody = hasBody(raw);
    if (comesWithBody) identification.watchBody(request, reply);
    if (!comesWithBody || (raw.method !== 'GET' && raw.method !== 'HEAD')) done();
    else readBody(raw, 'ignored').then(() => done(), done);
  });

  app.removeAllContentTypeParsers();
  app.addContentTypeParser('*', (request: FastifyRequest, payload: IncomingMessage) =>
    readBody(payload, request.routeConfig.body ?? 'ignored'),
  );

  app.addHook('preValidation', (request, _reply, done) => {
    const { body: use } = request.routeConfig;
    // Fastify would validate a missing body as null, but null is a JSON value.
    if (request.body === undefined && use === 'optional') request.body = {};
    if (request.body === undefined && use === 'required')
      done(new BestowError('request_body_invalid', { message: 'This operation needs a body: a JSON object.' }));
    else done();
  });

  const bodyValidator = createBodyValidators(schemas);
  app.setValidatorCompiler(({ schema, httpPart }) => {
    // Routes parse paths, queries and headers themselves; their schemas are for the OpenAPI document.
    if (httpPart !== 'body') return () => true;
    const validate = bodyValidator(schema as object);
    return (body: unknown) => {
      const error = validate(body);
      return error === undefined ? { value: body } : { error };
    };
  });
}
