import { setTimeout as sleep } from 'node:timers/promises';
import { dateOf } from 'bestow-readers/time.ts';
import type { Fact } from '../../../core/issuer/port.ts';
import { fetchLimited } from '../../../platform/http/fetch-limited.ts';
import { answerOf, type TremendousAccount, TremendousError } from './account.ts';
import { closed, redeemed } from './read-facts.ts';

/** Doubled each time that the report is not ready. */
const ASK_AGAIN_MS = 100;
const LONGEST_MS = 10_000;
const MOST_BYTES = 100_000_000;
const MOST_ROWS = 1_000_000;
const OK = 200;
const NOT_FOUND = 404;

/** Headings of the report, as Tremendous writes them or may. */
const headings = {
  reward: ['Reward ID', 'ID'],
  status: ['Status'],
  amount: ['Amount', 'Value'],
  redeemedAt: ['Redeemed at', 'Redeemed on', 'Redemption date'],
} as const;

/**
 * Returns what reads Tremendous's report of all rewards since a time. No webhook and no other call tells that a reward was
 * redeemed. A report that takes longer than the signal is read by the next call.
 */
export function reportReader({ reports }: TremendousAccount) {
  let waiting: string | undefined;
  const ask = async (since: Date, signal: AbortSignal) => {
    const filters = { digital_rewards: { created_at: { gte: since.toISOString().slice(0, 10) } } };
    const asked = { report_type: 'digital_rewards', format: 'csv', filters } as const;
    return (await answerOf(reports.createReport(asked, { signal }))).report?.id ?? '';
  };
  return async function* factsOfReport(since: Date, signal: AbortSignal): AsyncGenerator<Fact> {
    waiting ??= await ask(since, signal);
    const id = waiting;
    for (let waitMs = ASK_AGAIN_MS; ; waitMs = Math.min(LONGEST_MS, waitMs * 2)) {
      const { report } = await answerOf(reports.getReport(id, { signal })).catch((error) => {
        if (error instanceof TremendousError && error.status === NOT_FOUND) waiting = undefined;
        throw error;
      });
      if (report?.status === 'READY_FOR_DOWNLOAD' || report?.status === 'FAILED') waiting = undefined;
      if (report?.status === 'FAILED') throw new TremendousError('The report failed.', OK);
      if (report?.status === 'READY_FOR_DOWNLOAD') return yield* factsOfFile(await download(report.url ?? '', signal));
      await sleep(waitMs, undefined, { signal });
    }
  };
}

async function download(url: string, signal: AbortSignal): Promise<string> {
  const { status, content } = await fetchLimited(url, MOST_BYTES, signal);
  if (status !== OK) throw new TremendousError('The report could not be fetched.', status);
  return content.toString('utf8');
}

async function* factsOfFile(text: string): AsyncGenerator<Fact> {
  const [{ openText }, { plainHeading, tableOf }] = await Promise.all([
    import('bestow-readers/read-file.ts'),
    import('bestow-readers/table.ts'),
  ]);
  const known = Object.values(headings).flat().map(plainHeading);
  const [sheet] = openText(text, (heading) => known.includes(plainHeading(heading)), MOST_ROWS).sheets;
  const table = tableOf(sheet, 0);
  const names = table.headings.map(plainHeading);
  const at = (name: keyof typeof headings) => {
    const index = headings[name].map((heading) => names.indexOf(plainHeading(heading))).find((found) => found >= 0);
    if (index === undefined) throw new TremendousError(`The report has no column ${headings[name][0]}.`, OK);
    return index;
  };
  const columns = { reward: at('reward'), status: at('status'), amount: at('amount'), redeemedAt: at('redeemedAt') };
  for (const { cells } of table.lines) {
    const read = (name: keyof typeof columns) => (cells[columns[name]] ?? '').trim();
    const [providerId, status, redeemedAt] = [read('reward'), read('status').toLowerCase(), read('redeemedAt')];
    if (status === 'canceled') yield closed(providerId);
    // What is reviewed is told by its review.
    else if (redeemedAt !== '' && status !== 'pending review')
      yield redeemed(providerId, centsOf(read('amount')), timeOf(redeemedAt));
  }
}

/** Such as `25.00`, or `$1,000.00`. */
function centsOf(text: string): number {
  const cents = Math.round(Number(text.replaceAll(/[^\d.]/g, '')) * 100);
  if (!(cents > 0)) throw new TremendousError(`The report has the amount “${text.slice(0, 40)}”.`, OK);
  return cents;
}

/** As the API writes it, or as spreadsheets do: `2026-11-28 10:00:00 UTC`. */
const timeOf = (text: string): Date => dateOf(text.replace(/^([\d-]{10}) ([\d:.]{8,}) ?(?:UTC|Z)?$/, '$1T$2Z'));
