import type { Deps } from '../../../core/deps.ts';
import { isLoopback } from '../../../platform/base/loopback.ts';
import { operatorPageUrl } from '../../../platform/configuration/operator-page.ts';

/** The addresses of pages that may sign people in: the portal's first, and the operator's. */
export const signInUrls = ({ publicUrl, config }: Pick<Deps, 'publicUrl' | 'config'>) =>
  [publicUrl(), operatorPageUrl(config.operatorPage, publicUrl())] as const;

/** The origins of these addresses. */
export const signInOrigins = (urls: readonly string[]): string[] => [...new Set(urls.flatMap(originsOf))];

function originsOf(url: string): string[] {
  const { hostname, origin } = new URL(url);
  return isLoopback(hostname) ? ['localhost', '127.0.0.1'].map((name) => originWith(url, name)) : [origin];
}

function originWith(url: string, hostname: string): string {
  const named = new URL(url);
  named.hostname = hostname;
  return named.origin;
}
