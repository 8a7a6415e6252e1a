/** Whether the host of a URL, a name or an address, is this machine. */
export function isLoopback(hostname: string): boolean {
  return /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])$/i.test(hostname);
}

/** The same of an address to listen on, which has no brackets. */
export const isLoopbackHost = (host: string): boolean => isLoopback(host.includes(':') ? `[${host}]` : host);
