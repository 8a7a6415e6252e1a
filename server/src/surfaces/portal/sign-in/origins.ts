import { isLoopback } from '../../../platform/base/loopback.ts';

/** The origins of pages that may sign people in. */
export function signInOrigins(publicUrl: string): string[] {
  const { hostname, origin } = new URL(publicUrl);
  return isLoopback(hostname) ? ['localhost', '127.0.0.1'].map((name) => originWith(publicUrl, name)) : [origin];
}

function originWith(url: string, hostname: string): string {
  const named = new URL(url);
  named.hostname = hostname;
  return named.origin;
}
