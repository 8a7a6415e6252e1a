import type { FastifyInstance } from 'fastify';

const patternOf = (url: string) => new RegExp(`^${url.replace(/[.]/g, '\\.').replace(/:\w+/g, '[^/]+')}$`);

/** Collects the methods of every path, for the `Allow` header. */
export function collectAllowedMethods(app: FastifyInstance): (path: string) => string | undefined {
  const methodsOf = new Map<string, Set<string>>();
  app.addHook('onRoute', ({ url, method }) => {
    const methods = methodsOf.get(url) ?? new Set<string>();
    for (const one of [method].flat()) methods.add(one);
    methodsOf.set(url, methods);
  });
  let patterns: Map<string, RegExp> | undefined;
  return (path) => {
    // Made at the first unknown route: hundreds at each start are seldom used.
    patterns ??= new Map([...methodsOf.keys()].map((url) => [url, patternOf(url)]));
    for (const [url, pattern] of patterns)
      if (pattern.test(path)) return [...(methodsOf.get(url) ?? [])].sort().join(', ');
    return undefined;
  };
}
