import { lazyRouteComponent } from '@tanstack/react-router';
import { unreachable } from '../api/client.ts';
import { askServer } from '../api/reachability.ts';

/**
 * A page that loads when it is first opened. The router reloads the document if the page's script is gone, as after an
 * upgrade; if the server does not answer, that would lead to the browser's own error page, so the portal shows its own.
 */
export const lazyPage: typeof lazyRouteComponent = (load, name) =>
  lazyRouteComponent(
    () =>
      load().catch(async (error: unknown) => {
        throw (await askServer()) ? error : unreachable();
      }),
    name,
  );
