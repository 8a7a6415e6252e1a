import type { FastifyInstance } from 'fastify';

/** Collects the methods of every path, for the `Allow` header. */
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
