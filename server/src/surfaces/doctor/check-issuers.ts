import { adapters, kindsPaidAtClaim } from '../../capabilities/issuers/adapters.ts';
import { createIssuers } from '../../capabilities/issuers/open-issuers.ts';
import type { FundingBalance } from '../../core/issuer/port.ts';
import type { Clock } from '../../platform/base/clock.ts';
import { errorMessage } from '../../platform/base/error-code.ts';
import { OperatorError } from '../../platform/base/operator-error.ts';
import type { Config } from '../../platform/configuration/config.ts';
import type { Database } from '../../platform/database/connections.ts';
import { createCipher } from '../../platform/encryption/cipher.ts';
import { knownSecretsOf, secretsFor } from '../../platform/installation/link-secret.ts';
import { type Finding, fault, ok, warning } from './finding.ts';
import { countWithoutIssuer, selectWatchedIssuers } from './issuer-queries.ts';

const WAIT_MS = 10_000;
const MAX_ISSUERS = 50;

/** Checks who makes the cards of live gifts, and whether each issuer works and has money for them. */
export async function checkIssuers(config: Config, database: Database, clock: Clock): Promise<Finding[]> {
  const counts = await countWithoutIssuer(database.shards, []);
  const sumOf = (name: 'with_gifts' | 'with_funds') => counts.reduce((sum, row) => sum + row[name], 0);
  const rows = await selectWatchedIssuers(database.shards, [MAX_ISSUERS, kindsPaidAtClaim(adapters)]);
  const findings = [simulated(config, sumOf('with_gifts'), sumOf('with_funds'))];
  if (rows.length === 0) return findings;
  const cipher = createCipher(secretsFor('codes', config, await knownSecretsOf(config)));
  const issuers = createIssuers({ database, clock, cipher });
  const asked: Asked[] = [];
  for (const row of rows) asked.push(await ask(issuers, row));
  return [...findings, ...asked.map((each) => judge(each, asked))];
}

function simulated({ isProduction, allowsSimulatedLive }: Config, withGifts: number, withFunds: number): Finding {
  if (withGifts + withFunds === 0) return ok('issuers', 'every organization with live funds or gifts has one');
  if (!isProduction) return ok('issuers', 'simulated: live cards buy nothing on this machine');
  const advice = 'Run: bestow issuer add. See docs/issuers.md.';
  if (withGifts === 0)
    return warning('issuers', `${withFunds} organizations with live funds have none: no gift could be claimed`, advice);
  const found = `${withGifts} organizations with live gifts have none`;
  return allowsSimulatedLive
    ? warning('issuers', `${found}: their cards are simulated and buy nothing`, advice)
    : fault('issuers', `${found}: their gifts cannot be claimed`, advice);
}

type Row = Awaited<ReturnType<typeof selectWatchedIssuers>>[number];

/** An issuer's answer. */
type Asked = { row: Row; funds?: FundingBalance | undefined } | { row: Row; error: unknown };

async function ask(issuers: ReturnType<typeof createIssuers>, row: Row): Promise<Asked> {
  try {
    const issuer = await issuers.open(row.organization_id, row);
    const signal = AbortSignal.timeout(WAIT_MS);
    await issuer.test(signal);
    return { row, funds: issuer.isLocal ? undefined : await issuer.fundingBalance(signal) };
  } catch (error) {
    return { row, error };
  }
}

const CORRECT = 'Correct its settings: bestow issuer remove, then bestow issuer add.';
const ADD_CODES = 'See bestow issuer stock, and add codes with bestow issuer upload.';
const WAIT = 'Wait, and look at its status page: claims continue by themselves when it answers. Keep its settings.';

/** Whether the issuer answered that the settings are wrong; an error with a cause is about its network or its service. */
const isRefused = (error: unknown) => error instanceof OperatorError && error.cause === undefined;

/** @param all one balance may pay the cards of several issuers */
function judge(asked: Asked, all: readonly Asked[]): Finding {
  const check = `issuer ${asked.row.kind} of ${asked.row.organization_name}`;
  if ('error' in asked) return fault(check, errorMessage(asked.error), isRefused(asked.error) ? CORRECT : WAIT);
  const { funds } = asked;
  if (asked.row.is_stock_low) return warning(check, 'few codes are left', ADD_CODES);
  if (funds === undefined) return ok(check, 'works');
  const paid = all.filter((other) => 'funds' in other && other.funds?.account === funds.account);
  const dueCents = paid.reduce((sum, { row }) => sum + row.due_cents, 0);
  if (funds.availableCents >= dueCents) return ok(check, 'works');
  const { isPaidAtClaim = false } = adapters[asked.row.kind] ?? {};
  return fault(
    check,
    `${funds.availableCents} cents for ${dueCents} cents ${isPaidAtClaim ? 'of unclaimed gifts' : 'on cards'}`,
    `Add money to the balance at the issuer: ${isPaidAtClaim ? 'claims are refused' : 'purchases are declined'} without it.`,
  );
}
