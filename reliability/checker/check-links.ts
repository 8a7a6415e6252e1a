import { decodeId, encodeId } from '../../server/src/platform/base/ids.ts';
import { HUNG_AFTER_MS } from '../../server/test/harness/server-process.ts';
import { createHttpClient, outcomeOfApi, outcomeOfPage } from '../load/send.ts';
import { type AnsweredGift, isOf, mayBeDeleted, resetsOf } from './read-record.ts';
import { violationsOf } from './select-faulty.ts';
import type { Check, CheckContext, CheckKey, Violation } from './violation.ts';

const LINKS_OPENED = 30;

/** I10: a link works when a read of its gift returns it. */
export const checkLinks: Check = async (context) => [...checkOpened(context), ...(await openLinks(context))];

/** The clients open each link immediately. */
function checkOpened({ recorder }: CheckContext): Violation[] {
  const resets = resetsOf(recorder.calls);
  const wrong = recorder.calls.filter(
    (call) => isOf(call, 'openPage') && call.outcome.kind === 'failed' && !mayBeDeleted(call, resets),
  );
  return violationsOf(
    'I10',
    wrong.map(
      ({ subjectId, outcome }) => `The link of ${subjectId} was answered with ${JSON.stringify(outcome).slice(0, 80)}.`,
    ),
  );
}

async function openLinks({ url, keys, sql }: CheckContext): Promise<Violation[]> {
  if (url === undefined) return [];
  const wrong: string[] = [];
  for (const key of keys) {
    const { rows } = await sql.query<{ gift_id: string }>(
      `select gift_id from gifts where organization_id = $1 and environment = $2 and method = 'link'
       order by md5(gift_id::text) limit ${LINKS_OPENED}`,
      [decodeId('org', key.organizationId), key.environment],
    );
    for (const { gift_id } of rows) wrong.push(...(await openLink(url, key, encodeId('gift', gift_id))));
  }
  return violationsOf('I10', wrong);
}

async function openLink(url: string, { key }: CheckKey, giftId: string): Promise<string[]> {
  const http = createHttpClient(HUNG_AFTER_MS);
  try {
    const headers = { Authorization: `Bearer ${key}` };
    const read = outcomeOfApi(await http.send(url, { method: 'GET', path: `/v1/gifts/${giftId}`, headers }));
    if (read.kind !== 'ok') return [`Gift ${giftId} cannot be read: ${JSON.stringify(read)}.`];
    const { link = '' } = (read.answer as AnsweredGift).delivery;
    const page = outcomeOfPage(await http.send(url, { method: 'GET', path: link.slice(link.indexOf('/g/')) }));
    return page.kind === 'ok' ? [] : [`The link of ${giftId} does not open.`];
  } finally {
    http.close();
  }
}
