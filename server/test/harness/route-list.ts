import type { FastifyInstance } from 'fastify';

export interface ListedRoute {
  method: string;
  /** With `:parameters`. */
  path: string;
}

/** Every route of the service, from Fastify's tree, so none is forgotten. */
export function listRoutes(app: FastifyInstance): ListedRoute[] {
  const above: string[] = [];
  return app
    .printRoutes({ commonPrefix: false })
    .split('\n')
    .flatMap((line) => {
      const [, indent = '', part = '', methods = ''] = /^([│├└─\s]*)(\S+) \(([A-Z, ]+)\)$/.exec(line) ?? [];
      if (part === '') return [];
      const depth = indent.length / 4 - 1;
      above.splice(depth, above.length, part);
      const path = above.join('');
      return methods.split(', ').map((method) => ({ method, path }));
    });
}
