import { bestow } from '../../../server/test/harness/server-process.ts';
import { checkTables } from '../../checker/check-tables.ts';
import type { Violation } from '../../checker/violation.ts';
import { LINK_SECRET } from '../installation.ts';
import type { ClaimRun } from './kill-claims.ts';
import { VALUE_CENTS } from './plan-claims.ts';

interface Stored {
  gift_id: string;
  claimed_at: Date | null;
  claiming_at: Date | null;
  state: string | null;
  provider_id: string | null;
  entered: string | null;
  claims: number;
}

/** Compares the provider's cards with the gifts, when nothing is under way. @returns also how long claimed gifts waited */
export async function judgeClaims(
  run: ClaimRun,
): Promise<{ violations: Violation[]; failures: string[]; waits: number[] }> {
  const { installation, claims } = run;
  const rows = await installation.sql<Stored>(
    `select g.gift_id, g.claimed_at, g.claiming_at, k.state, k.provider_id, k.entered,
       (select count(*)::integer from events e where e.gift_id = g.gift_id and e.type = 'gift.claimed') as claims
     from gifts g left join cards k using (organization_id, environment, gift_id)`,
  );
  const failures = rows.flatMap((row) => faultsOf(run, row).map((fault) => `Gift ${row.gift_id} ${fault}`));
  if (rows.length !== claims.length) failures.push(`Of ${claims.length} gifts ${rows.length} are stored.`);
  failures.push(...(await moneyFaults(run)), ...issuerFaults(run, rows));
  const waits = rows.flatMap(({ gift_id, claimed_at }) =>
    [...(run.activations.get(gift_id)?.values() ?? [])].map((ms) => ms - (claimed_at?.getTime() ?? ms)),
  );
  return { violations: await checkTables(installation.target), failures, waits };
}

function faultsOf({ lying: { fake }, activations }: ClaimRun, row: Stored): string[] {
  const active = fake.cardsOf(row.gift_id).filter(({ isActive }) => isActive);
  const [card] = active;
  const wasActive = activations.get(row.gift_id)?.size ?? 0;
  const faults: [isFault: boolean, text: string][] = [
    [active.length > 0 && row.claimed_at === null, 'has a live card and is not claimed.'],
    [wasActive > 1 || active.length > 1, `had ${wasActive} cards that worked.`],
    [row.claimed_at !== null && active.length === 0, 'is claimed and has no live card.'],
    [row.claimed_at !== null && row.state !== 'active', `is claimed, and its card is ${row.state}.`],
    [card !== undefined && card.id !== row.provider_id, `has the card ${row.provider_id}, and ${card?.id} works.`],
    [card !== undefined && card.limitCents !== VALUE_CENTS, `has a card of ${card?.limitCents} cents.`],
    [card !== undefined && card.holderGiftId !== row.gift_id, 'has a card that names the recipient of another gift.'],
    [row.claims !== (row.claimed_at === null ? 0 : 1), `has ${row.claims} events of its claim.`],
    [row.state !== 'claiming' && row.entered !== null, 'still has what the recipient entered.'],
  ];
  return faults.flatMap(([isFault, text]) => (isFault ? [text] : []));
}

/** An issuer that pays before purchases paid for each claimed gift, once. */
function issuerFaults({ lying: { fake } }: ClaimRun, rows: readonly Stored[]): string[] {
  const paid = fake.paidCents?.();
  const expected = rows.filter(({ claimed_at }) => claimed_at !== null).length * VALUE_CENTS;
  return paid === undefined || paid === expected ? [] : [`The issuer paid ${paid} cents instead of ${expected}.`];
}

/** What was funded is the balance and the gifts, and the operator's own check says the same. */
async function moneyFaults({ installation, claims }: ClaimRun): Promise<string[]> {
  const { databaseUrl, dataDir, recorder, sql } = installation;
  const funded = recorder.calls
    .filter(({ operation }) => operation === 'fund')
    .reduce((sum, { request }) => sum + (request as { amount_cents: number }).amount_cents, 0);
  const [{ cents } = { cents: '' }] = await sql<{ cents: string }>('select sum(balance_cents) as cents from balances');
  const expected = funded - claims.length * VALUE_CENTS;
  const faults = Number(cents) === expected ? [] : [`The balance is ${cents} cents instead of ${expected}.`];
  const { code, stdout, stderr } = await bestow(['ledger', 'verify'], {
    DATABASE_URL: databaseUrl,
    DATA_DIR: dataDir,
    LINK_SECRET,
  }).ended;
  return code === 0 ? faults : [...faults, `bestow ledger verify ended with ${code}: ${stdout}${stderr}`];
}
