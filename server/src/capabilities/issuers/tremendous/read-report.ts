import { setTimeout as sleep } from 'node:timers/promises';
import { dateOf } from 'bestow-readers/time.ts';
import type { Fact } from '../../../core/issuer/port.ts';
import { answerOf, type TremendousAccount, TremendousError } from './account.ts';
import { closed, redeemed } from './read-facts.ts';

/** Doubled each time that the report is not ready. */
const ASK_AGAIN_MS = 100;
const LONGEST_MS = 10_000;
const MOST_BYTES = 100_000_000;
const MOST_ROWS = 1_000_000;

/** Headings of the report, as Tremendous writes them or may. */
const headings = {
  reward: ['Reward ID', 'ID'],
  status: ['Status'],
  amount: ['Amount', 'Value'],
  redeemedAt: ['Redeemed at', 'Redeemed on', 'Redemption date'],
} as const;

/**
 * Reads Tremendous's report of all rewards since a time. No webhook and no other call tells that a reward was redeemed.
 */
export async function* factsOfReport(
  { reports }: TremendousAccount,
  since: Date,
  signal: AbortSignal,
): AsyncGenerator<Fact> {
  const { report } = await answerOf(
    reports.createReport(
      {
        report_type: 'digital_rewards',
        format: 'csv',
        filters: { digital_rewards: { created_at: { gte: since.toISOString().slice(0, 10) } } },
      },
      { signal },
    ),
  );
  const id = report?.id ?? '';
  for (let waitMs = ASK_AGAIN_MS; ; waitMs = Math.min(LONGEST_MS, waitMs * 2)) {
    const { report: now } = await answerOf(reports.getReport(id, { signal }));
    if (now?.status === 'FAILED') throw new TremendousError('The report failed.', 200);
    if (now?.status === 'READY_FOR_DOWNLOAD') return yield* factsOfFile(await download(now.url ?? '', signal));
    await sleep(waitMs, undefined, { signal });
  }
}

async function download(url: string, signal: AbortSignal): Promise<string> {
  const response = await fetch(url, { signal, redirect: 'error' });
  if (!response.ok) throw new TremendousError('The report could not be fetched.', response.status);
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of response.body ?? []) {
    bytes += chunk.length;
    if (bytes > MOST_BYTES) throw new TremendousError('The report is too large.', 200);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
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
    if (index === undefined) throw new TremendousError(`The report has no column ${headings[name][0]}.`, 200);
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
  if (!(cents > 0)) throw new TremendousError(`The report has the amount “${text.slice(0, 40)}”.`, 200);
  return cents;
}

/** As the API writes it, or as spreadsheets do: `2026-11-28 10:00:00 UTC`. */
const timeOf = (text: string): Date => dateOf(text.replace(/^([\d-]{10}) ([\d:.]{8,}) ?(?:UTC|Z)?$/, '$1T$2Z'));
