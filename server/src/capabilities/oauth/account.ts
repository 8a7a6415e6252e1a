/** The grant of an assistant, as the library names whom a token is for. */
export interface Account {
  /** UUIDs. */
  organizationId: string;
  grantId: string;
}

const SEPARATOR = '/';

export const accountIdOf = ({ organizationId, grantId }: Account): string => organizationId + SEPARATOR + grantId;

export function accountOf(accountId: string): Account {
  const [organizationId = '', grantId = ''] = accountId.split(SEPARATOR);
  return { organizationId, grantId };
}
