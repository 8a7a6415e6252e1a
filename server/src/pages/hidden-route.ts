import type {} from '@fastify/swagger';

/** Keeps a route that serves people out of the OpenAPI document, which is for programs. */
export const hiddenRoute = { schema: { hide: true } } as const;
