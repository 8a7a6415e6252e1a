/** Which organization and mode a person last worked in, on this device. */
interface Place {
  organizationId: string;
  environment: 'live' | 'sandbox';
}

const KEY = 'bestow.place';

export function rememberPlace(place: Place): void {
  try {
    localStorage.setItem(KEY, JSON.stringify(place));
  } catch {
    // A browser that keeps nothing starts at the first organization each time.
  }
}

/** The last place while the person is still a member there, else their first organization; undefined: they have none. */
export function rememberedPlace(memberships: readonly { organization_id: string }[]): Place | undefined {
  const first = memberships[0];
  if (first === undefined) return undefined;
  const last = readPlace();
  if (last !== undefined && memberships.some(({ organization_id }) => organization_id === last.organizationId))
    return last;
  return { organizationId: first.organization_id, environment: 'live' };
}

function readPlace(): Place | undefined {
  try {
    const { organizationId, environment } = JSON.parse(localStorage.getItem(KEY) ?? '{}') as Partial<Place>;
    if (typeof organizationId !== 'string') return undefined;
    return { organizationId, environment: environment === 'sandbox' ? 'sandbox' : 'live' };
  } catch {
    return undefined;
  }
}
