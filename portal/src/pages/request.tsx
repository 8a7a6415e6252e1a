import { useQuery } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { servicePath } from '../address.ts';
import { api, SCOPE_PATH, unwrap } from '../api/client.ts';
import type { components } from '../api/schema.d.ts';
import { useScope } from '../layout/use-scope.ts';
import { Code, CopyableCode } from '../ui/code.tsx';
import { CopyButton } from '../ui/copy-button.tsx';
import { Elsewhere } from '../ui/elsewhere.tsx';
import { formatCount } from '../ui/formats.ts';
import { Facts, Page, Panel } from '../ui/page.tsx';
import { Skeleton } from '../ui/states.tsx';
import { Time } from '../ui/time.tsx';
import { formatDuration, HttpStatusBadge, KeyName } from './request-parts.tsx';

type LoggedRequest = components['schemas']['LoggedRequest'];

const MAX_TITLE_LENGTH = 60;

const route = getRouteApi('/signed-in/$organizationId/$environment/requests/$requestId');

export function RequestPage() {
  const { path, params } = useScope();
  const { requestId } = route.useParams();
  const request = useQuery({
    queryKey: ['requests', path, requestId],
    queryFn: () =>
      unwrap(api.GET(`${SCOPE_PATH}/requests/{request_id}`, { params: { path: { ...path, request_id: requestId } } })),
  });
  const { data, error } = request;
  return (
    <Page
      title={data === undefined ? 'Request' : titleOf(data)}
      tabTitle={`Request ${requestId}`}
      crumb={
        <Link to="/$organizationId/$environment/requests" params={params}>
          Requests
        </Link>
      }
      description={<CopyableCode label="Copy request ID">{requestId}</CopyableCode>}
    >
      {data === undefined && error !== null ? (
        <Panel>
          <Elsewhere
            error={error}
            onRetry={() => void request.refetch()}
            title="Request not found"
            inOtherMode={(environment) => ({
              to: '/$organizationId/$environment/requests/$requestId',
              params: { ...params, environment, requestId },
            })}
          >
            It may belong to the other mode, or be older than 7 days or less than a second old. Requests without a known
            API key are not logged.
          </Elsewhere>
        </Panel>
      ) : (
        <>
          <Panel title="Details">{data === undefined ? <Skeleton lines={7} /> : <RequestFacts request={data} />}</Panel>
          {data !== undefined && data.error_code !== null && <RequestError request={data} code={data.error_code} />}
          {data !== undefined && <RequestBody request={data} />}
        </>
      )}
    </Page>
  );
}

/** Method and path without the query, short enough for two lines. */
function titleOf({ method, path }: LoggedRequest): string {
  const [start = ''] = path.split('?');
  return `${method} ${start.length > MAX_TITLE_LENGTH ? `${start.slice(0, MAX_TITLE_LENGTH)}…` : start}`;
}

const RequestFacts = ({ request }: { request: LoggedRequest }) => (
  <Facts
    facts={[
      ['Status', <HttpStatusBadge key="status" status={request.status} />],
      ['Path', <Code key="path">{request.path}</Code>],
      ['Time', <Time key="time" at={request.created_at} hasSeconds />],
      ['Duration', formatDuration(request.duration_ms)],
      ['API key', <KeyName key="key" keyId={request.key_id} />],
      ['IP address', <Code key="address">{request.client_address ?? 'unknown'}</Code>],
    ]}
  />
);

const RequestError = ({ request, code }: { request: LoggedRequest; code: string }) => (
  <Panel
    title="Error"
    actions={
      <a
        href={`${servicePath}/docs/errors#${code}`}
        className="text-sm font-semibold text-accent underline underline-offset-2"
      >
        How to fix it
      </a>
    }
  >
    <Facts
      facts={[
        ['Code', <Code key="code">{code}</Code>],
        ...(request.error_param === null ? [] : [['Field', <Code key="field">{request.error_param}</Code>] as const]),
        ['Message', request.error_message ?? 'None'],
      ]}
    />
  </Panel>
);

function RequestBody({ request: { body, body_bytes } }: { request: LoggedRequest }) {
  const length = body_bytes === null ? '' : ` Original size: ${formatCount(body_bytes)} bytes.`;
  if (body === null)
    return (
      <Panel title="Body">
        <p className="text-soft">
          {body_bytes === null || body_bytes === 0
            ? 'The request had no JSON body.'
            : `The body was not JSON, so it was not stored.${length}`}
        </p>
      </Panel>
    );
  const text = indent(body);
  return (
    <Panel
      title="Body"
      description={`Addresses and names are masked. “…” marks removed text.${length}`}
      actions={<CopyButton text={text} label="Copy body" />}
    >
      <section
        // biome-ignore lint/a11y/noNoninteractiveTabindex: keyboard users must be able to scroll it
        tabIndex={0}
        aria-label="Request body"
        className="max-h-[36rem] overflow-auto rounded-xl bg-sunken"
      >
        <pre className="w-fit p-4 font-mono text-[0.8125rem] leading-5">{text}</pre>
      </section>
    </Panel>
  );
}

/** Indents JSON. Returns invalid JSON unchanged. */
function indent(body: string): string {
  try {
    return JSON.stringify(JSON.parse(body), null, 2);
  } catch {
    return body;
  }
}
