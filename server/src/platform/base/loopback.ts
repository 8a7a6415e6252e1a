/** Whether the host of a URL, a name or an address, is this machine. */
export function isLoopback(hostname: string): boolean {
  return /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])$/i.test(hostname);
}

/** The same of an address to listen on, which has no brackets. */
const isLoopbackHost = (host: string): boolean => isLoopback(host.includes(':') ? `[${host}]` : host);

/** Whether only this machine can reach a service that listens on `host` and whose links begin with `publicUrl`. */
export const isOnLoopback = ({ host, publicUrl }: { host: string; publicUrl: string | undefined }): boolean =>
  isLoopbackHost(host) && (publicUrl === undefined || isLoopback(new URL(publicUrl).hostname));
