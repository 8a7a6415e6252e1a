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

/** Whether the person has been in an organization's pages on this device. */
export const isRemembered = (): boolean => readScope() !== undefined;

/**
 * Returns the last scope if the person is still a member and the mode is served, else their first organization; undefined
 * if they have none.
 */
export function rememberedScope(
  memberships: readonly { organization_id: string }[],
  environments: readonly Scope['environment'][],
): Scope | undefined {
  const first = memberships[0];
  if (first === undefined) return undefined;
  const last = readScope();
  const isMember = memberships.some(({ organization_id }) => organization_id === last?.organizationId);
  if (last !== undefined && isMember && environments.includes(last.environment)) return last;
  return { organizationId: first.organization_id, environment: environments[0] ?? 'live' };
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
