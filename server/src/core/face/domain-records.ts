import { storable } from '../../platform/base/storable.ts';
import type { ResolveTxt } from './resolve-txt.ts';

/** A text that the domain must have in DNS, and what it has. `unknown`: DNS did not answer. */
export interface RecordState {
  kind: 'spf' | 'dkim' | 'dmarc';
  name: string;
  /** What to publish. */
  value: string;
  state: 'found' | 'missing' | 'wrong' | 'unknown';
  /** What is published, shortened. */
  found: string | null;
}

interface Wanted {
  domain: string;
  selector: string;
  publicKey: string;
  /** The operator's SPF mechanisms. */
  spf: string;
}

const LONGEST_FOUND = 500;

/** The records to publish, before the first check. */
export const wantedRecords = ({
  domain,
  selector,
  publicKey,
  spf,
}: Wanted): Pick<RecordState, 'kind' | 'name' | 'value'>[] => [
  { kind: 'spf', name: domain, value: `v=spf1 ${spf} ~all` },
  { kind: 'dkim', name: `${selector}._domainkey.${domain}`, value: `v=DKIM1; k=rsa; p=${publicKey}` },
  { kind: 'dmarc', name: `_dmarc.${domain}`, value: 'v=DMARC1; p=none' },
];

const versions = { spf: /^v=spf1(?: |$)/i, dkim: /(?:^|;)\s*p\s*=/i, dmarc: /^v\s*=\s*DMARC1\s*(?:;|$)/i } as const;

/** Asks DNS for every record. */
export async function readRecords(resolveTxt: ResolveTxt, wanted: Wanted): Promise<RecordState[]> {
  return await Promise.all(
    wantedRecords(wanted).map(async (record): Promise<RecordState> => {
      const texts = await resolveTxt(record.name).catch(() => undefined);
      if (texts === undefined) return { ...record, state: 'unknown', found: null };
      const found = texts.filter((text) => versions[record.kind].test(text));
      const [first] = found;
      if (first === undefined) return { ...record, state: 'missing', found: null };
      // Two records of a kind count as none for every receiver.
      const isRight = found.length === 1 && isGood(record.kind, first, wanted);
      return {
        ...record,
        state: isRight ? 'found' : 'wrong',
        found: storable(found.join('\n').slice(0, LONGEST_FOUND)),
      };
    }),
  );
}

function isGood(kind: RecordState['kind'], text: string, { publicKey, spf }: Wanted): boolean {
  if (kind === 'dmarc') return true;
  if (kind === 'dkim') return tagOf(text, 'p') === publicKey && ['rsa', ''].includes(tagOf(text, 'k'));
  const terms = text
    .toLowerCase()
    .split(/ +/)
    .map((term) => term.replace(/^\+/, ''));
  return spf
    .toLowerCase()
    .split(' ')
    .every((term) => terms.includes(term));
}

/** A tag of a DKIM record (RFC 6376, 3.2), without white space. */
function tagOf(text: string, name: string): string {
  const tags = text
    .replaceAll(/\s/g, '')
    .split(';')
    .map((tag) => tag.split(/=(.*)/s));
  return tags.find(([key]) => key === name)?.[1] ?? '';
}

/** DMARC is only read: mail is accepted without it. */
export const isComplete = (records: readonly RecordState[]) =>
  records.every(({ kind, state }) => kind === 'dmarc' || state === 'found');

/** Whether DNS denies what is needed. Without an answer the earlier state counts. */
export const isDenied = (records: readonly RecordState[]) =>
  records.some(({ kind, state }) => kind !== 'dmarc' && (state === 'missing' || state === 'wrong'));
