import type { FastifyRequest } from 'fastify';

/** Addresses of programs, which read the error object. */
const OF_PROGRAMS = /^\/(?:v1|hooks|portal\/api)(?:[/?]|$)/;

/** Whether a person looks for a page. */
export const isFromBrowser = ({ method, headers, raw }: FastifyRequest): boolean =>
  (method === 'GET' || method === 'HEAD') &&
  (headers.accept ?? '').includes('text/html') &&
  !OF_PROGRAMS.test(raw.url ?? '');
