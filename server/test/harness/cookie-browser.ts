/** Keeps cookies as a browser does. */
export interface CookieBrowser {
  /** Values by name. */
  cookies: Map<string, string>;
  call(method: string, path: string, body?: object): Promise<{ status: number; text: string }>;
}

/** @param address of the service, which is also the origin of the calls */
export function openCookieBrowser(address: string): CookieBrowser {
  const cookies = new Map<string, string>();
  return {
    cookies,
    async call(method, path, body) {
      const response = await fetch(`${address}/portal/api${path}`, {
        method,
        headers: {
          origin: address,
          'content-type': 'application/json',
          cookie: [...cookies].map(([name, value]) => `${name}=${value}`).join('; '),
        },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      });
      for (const set of response.headers.getSetCookie()) {
        const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(set) ?? [];
        if (value === '') cookies.delete(name);
        else cookies.set(name, value);
      }
      return { status: response.status, text: await response.text() };
    },
  };
}
