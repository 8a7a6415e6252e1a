import { useQuery } from '@tanstack/react-query';
import { api, SCOPE_PATH, unwrap } from '../../api/client.ts';
import { useGrants } from '../../api/use-grants.ts';
import { useScope } from '../../api/use-scope.ts';
import { Badge, type Tone } from '../../ui/badge.tsx';
import { Code } from '../../ui/code.tsx';

/** An HTTP status, coloured by its class. */
export function HttpStatusBadge({ status }: { status: number }) {
  return <Badge tone={toneOf(status)}>{status}</Badge>;
}

function toneOf(status: number): Tone {
  if (status >= 500) return 'bad';
  if (status >= 400) return 'warn';
  return status >= 300 ? 'plain' : 'good';
}

/** All keys of the mode, including revoked keys, because the request log stores only their ids. */
export function useKeys() {
  const { path } = useScope();
  return useQuery({
    queryKey: ['keys', path],
    queryFn: () => unwrap(api.GET(`${SCOPE_PATH}/keys`, { params: { path } })),
  });
}

/** Names a request's key, or the agent whose token it is; its id until the name is loaded. */
export function KeyName({ keyId, isShort = false }: { keyId: string; isShort?: boolean }) {
  const key = useKeys().data?.data.find(({ key_id }) => key_id === keyId);
  const grant = useGrants().data?.data.find(({ key_ids }) => key_ids.includes(keyId));
  const named = key ?? (grant && { name: `Agent ${grant.name}`, hint: grant.hint });
  if (named === undefined) return <Code>{keyId}</Code>;
  return (
    <>
      <span className={isShort ? 'block max-w-44 truncate' : 'wrap-anywhere'}>{named.name}</span>
      <span className="block font-mono text-[0.8125rem] whitespace-nowrap text-soft">{named.hint}</span>
    </>
  );
}

/** `4.2 ms`, `153 ms`, `1.2 s`. */
export function formatDuration(ms: number): string {
  const [value, unit, digits] = ms < 10 ? [ms, 'ms', 1] : ms < 1_000 ? [ms, 'ms', 0] : [ms / 1_000, 's', 1];
  return `${value.toFixed(digits)} ${unit}`;
}

export const REQUEST_ID = /^req_[0-9a-z]{26}$/i;

const resources: readonly (readonly [pattern: RegExp, path: string])[] = [
  [/^gift_/i, '/v1/gifts/'],
  [/^ord_/i, '/v1/orders/'],
  [/^v1\//i, '/'],
  [/^(?!\/)/, '/v1/'],
];

/** Turns a search text (path, URL, id or end of a path) into the start of a path. */
export function pathPrefixOf(text: string): string | undefined {
  if (text === '') return undefined;
  if (/^https?:/i.test(text) && URL.canParse(text)) {
    const { pathname, search } = new URL(text);
    return pathname + search;
  }
  const [, start = ''] = resources.find(([pattern]) => pattern.test(text)) ?? [];
  return start + text;
}
