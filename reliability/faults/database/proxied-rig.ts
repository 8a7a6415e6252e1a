import { startProxy } from '../../proxy/start-proxy.ts';
import { openRig, type RigOptions } from '../rig.ts';

/** A rig whose servers reach PostgreSQL through a proxy that can harm the connection. */
export async function openProxiedRig(options: RigOptions) {
  const rig = await openRig(options);
  const proxy = await startProxy(rig.target);
  return {
    rig,
    proxy,
    startServer: (variables: Record<string, string> = {}) =>
      rig.startServer({ variables: { DATABASE_URL: proxy.url, ...variables } }),
    async close() {
      await proxy.close();
      await rig.close();
    },
  };
}
