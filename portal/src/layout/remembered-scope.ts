/** The organization and mode that the person last used on this device. */
export interface Scope {
  organizationId: string;
  environment: 'live' | 'sandbox';
}

const KEY = 'bestow.place';

export function rememberScope(scope: Scope): void {
  try {
    localStorage.setItem(KEY, JSON.stringify(scope));
  } catch {
    // Without storage the portal opens the first organization.
  }
}

export function readScope(): Scope | undefined {
  try {
    const { organizationId, environment } = JSON.parse(localStorage.getItem(KEY) ?? '{}') as Partial<Scope>;
    if (typeof organizationId !== 'string') return undefined;
    return { organizationId, environment: environment === 'sandbox' ? 'sandbox' : 'live' };
  } catch {
    return undefined;
  }
}
