import type { FastifyInstance } from 'fastify';

/** The methods that a path has, for the `Allow` header of a request with another one. */
export function collectAllowedMethods(app: FastifyInstance): (path: string) => string | undefined {
  const routes = new Map<string, { pattern: RegExp; methods: Set<string> }>();
  app.addHook('onRoute', ({ url, method }) => {
    const pattern = new RegExp(`^${url.replace(/[.]/g, '\\.').replace(/:\w+/g, '[^/]+')}$`);
    const route = routes.get(url) ?? { pattern, methods: new Set<string>() };
    for (const one of [method].flat()) route.methods.add(one);
    routes.set(url, route);
  });
  return (path) => {
    for (const { pattern, methods } of routes.values()) if (pattern.test(path)) return [...methods].sort().join(', ');
    return undefined;
  };
}
