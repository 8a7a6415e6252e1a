import type { Deps } from '../../core/deps.ts';
import type { IssuerRow } from '../../core/issuer/choose-issuer.ts';
import { OperatorError } from '../../platform/base/operator-error.ts';

const TEST_WITHIN_MS = 10_000;

/**
 * Asks an issuer whether its settings work.
 *
 * @returns cents at the issuer; null if it does not say
 * @throws OperatorError if they do not
 */
export async function testIssuer({ issuers }: Pick<Deps, 'issuers'>, row: IssuerRow): Promise<number | null> {
  const issuer = await issuers.open(row.organization_id, row);
  const signal = AbortSignal.timeout(TEST_WITHIN_MS);
  await issuer.test(signal).catch((error) => {
    throw new OperatorError(`The issuer does not work: ${error instanceof Error ? error.message : error}`);
  });
  const funds = issuer.isLocal ? undefined : await issuer.fundingBalance(signal);
  return funds?.availableCents ?? null;
}
