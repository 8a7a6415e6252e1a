/** The organization and mode that the person last used on this device. */
interface Scope {
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

/** Returns the last scope if the person is still a member, else their first organization; undefined if they have none. */
export function rememberedScope(memberships: readonly { organization_id: string }[]): Scope | undefined {
  const first = memberships[0];
  if (first === undefined) return undefined;
  const last = readScope();
  if (last !== undefined && memberships.some(({ organization_id }) => organization_id === last.organizationId))
    return last;
  return { organizationId: first.organization_id, environment: 'live' };
}

function readScope(): Scope | undefined {
  try {
    const { organizationId, environment } = JSON.parse(localStorage.getItem(KEY) ?? '{}') as Partial<Scope>;
    if (typeof organizationId !== 'string') return undefined;
    return { organizationId, environment: environment === 'sandbox' ? 'sandbox' : 'live' };
  } catch {
    return undefined;
  }
}
