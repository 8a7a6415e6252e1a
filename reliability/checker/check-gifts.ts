import { decodeId } from '../../server/src/platform/base/ids.ts';
import type { RecordedCall } from '../record/recorder.ts';
import { answeredGifts, isOf, isOk } from './read-record.ts';
import { selectFaulty, violationsOf } from './select-faulty.ts';
import type { Check, CheckContext, TableCheck, Violation } from './violation.ts';

/** I8: at most one claim per gift; a status never goes back; spends only after the claim and never above the value. */
export const checkGifts: Check = async (context) => [
  ...(await checkStates(context)),
  ...checkClaims(context),
  ...checkStatuses(context),
  ...(await checkStored(context)),
];

export const checkStates: TableCheck = ({ sql }) => selectFaulty(sql, 'I8', WRONG_STATES);

const WRONG_STATES = `
  select format('Gift %s of %s cents: opened %s, claimed %s, card %s, spent %s, purchases of %s.', g.gift_id,
    g.amount_cents, coalesce(g.opened_at::text, 'never'), coalesce(g.claimed_at::text, 'never'),
    coalesce(g.card_id::text, 'none'), g.spent_cents, coalesce(p.sum, 0)) as text
  from gifts g
  left join lateral (select sum(amount_cents) as sum from card_purchases p where p.organization_id = g.organization_id
    and p.environment = g.environment and p.gift_id = g.gift_id) p on true
  where g.spent_cents > case when g.claimed_at is null then 0 else g.amount_cents end or g.spent_cents < 0
    or (g.claimed_at is null) <> (g.card_id is null) or g.claimed_at is not null and g.opened_at is null
    or p.sum > g.spent_cents`;

function checkClaims({ recorder }: CheckContext): Violation[] {
  const claims = Map.groupBy(
    recorder.calls.filter((call) => isOf(call, 'claim') && isOk(call)),
    ({ subjectId }) => subjectId,
  );
  return violationsOf(
    'I8',
    [...claims].flatMap(([id, all]) => (all.length > 1 ? [`Gift ${id} was claimed ${all.length} times.`] : [])),
  );
}

const RANKS = { sent: 0, failed: 0, opened: 1, claimed: 2 } as const;
type Status = keyof typeof RANKS;

/** An answer never shows less than one that ended before it began. */
function checkStatuses({ recorder }: CheckContext): Violation[] {
  const shown = new Map<string, { status: Status; startedAtMs: number; endedAtMs: number }[]>();
  for (const call of recorder.calls)
    if (isOk(call))
      for (const { gift_id, delivery } of answeredGifts(call)) {
        const { startedAtMs, endedAtMs } = call;
        const all = shown.get(gift_id);
        if (all === undefined) shown.set(gift_id, [{ status: delivery.status, startedAtMs, endedAtMs }]);
        else all.push({ status: delivery.status, startedAtMs, endedAtMs });
      }
  const wrong: string[] = [];
  for (const [id, all] of shown) {
    const [least] = all
      .filter(({ status }) => RANKS[status] > 0)
      .toSorted((a, b) => RANKS[b.status] - RANKS[a.status] || a.endedAtMs - b.endedAtMs);
    if (least === undefined) continue;
    const firsts = (['opened', 'claimed'] as const).map((status) => ({
      status,
      atMs: Math.min(...all.filter((each) => RANKS[each.status] >= RANKS[status]).map(({ endedAtMs }) => endedAtMs)),
    }));
    for (const { status, atMs } of firsts) {
      const back = all.find((each) => each.startedAtMs > atMs && RANKS[each.status] < RANKS[status]);
      if (back !== undefined) wrong.push(`Gift ${id} was shown as ${status}, and later as ${back.status}.`);
    }
  }
  return violationsOf('I8', wrong);
}

/** The stored status is at least the one shown last; a claimed gift has a claim. */
async function checkStored({ sql, recorder }: CheckContext): Promise<Violation[]> {
  const furthest = new Map<string, Status>();
  for (const call of recorder.calls) {
    if (!isOk(call)) continue;
    for (const { gift_id, delivery } of answeredGifts(call)) {
      const uuid = decodeId('gift', gift_id) ?? '';
      const before = furthest.get(uuid);
      if (before === undefined || RANKS[delivery.status] > RANKS[before]) furthest.set(uuid, delivery.status);
    }
  }
  const { rows } = await sql.query<{ gift_id: string; status: Status }>(
    `select gift_id, case when claimed_at is not null then 'claimed' when opened_at is not null then 'opened'
       when delivery_state = 'failed' then 'failed' else 'sent' end as status
     from gifts`,
  );
  const tried = Map.groupBy(
    recorder.calls.filter((call) => isOf(call, 'claim', 'pressClaim') && call.outcome.kind !== 'failed'),
    ({ subjectId = '' }: RecordedCall) => decodeId('gift', subjectId) ?? '',
  );
  return violationsOf(
    'I8',
    rows.flatMap(({ gift_id, status }) => {
      const shown = furthest.get(gift_id);
      if (shown === undefined) return [];
      if (RANKS[status] < RANKS[shown]) return [`Gift ${gift_id} was shown as ${shown} and is ${status}.`];
      if (status === 'claimed' && shown !== 'claimed' && !tried.has(gift_id))
        return [`Gift ${gift_id} is claimed, but no client claimed it.`];
      return [];
    }),
  );
}
