import { useQuery } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { api, SCOPE_PATH, unwrap } from '../../api/client.ts';
import type { components } from '../../api/schema.d.ts';
import { useScope } from '../../api/use-scope.ts';
import { servicePath } from '../../base/address.ts';
import { Code, CopyableCode } from '../../ui/code.tsx';
import { CopyButton } from '../../ui/copy-button.tsx';
import { Elsewhere } from '../../ui/elsewhere.tsx';
import { formatCount } from '../../ui/formats.ts';
import { Facts, Page, Panel } from '../../ui/page.tsx';
import { Skeleton } from '../../ui/states.tsx';
import { Time } from '../../ui/time.tsx';
import { curlOf, hasMasked, subjectsOf } from './request-curl.ts';
import { formatDuration, HttpStatusBadge, KeyName } from './request-parts.tsx';

type LoggedRequest = components['schemas']['LoggedRequest'];

const MAX_TITLE_LENGTH = 60;
const MIN_ERROR = 400;

const route = getRouteApi('/signed-in/$organizationId/$environment/requests/$requestId');

export function RequestPage() {
  const { me, path, params } = useScope();
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
          API log
        </Link>
      }
      description={<CopyableCode label="Copy request ID">{requestId}</CopyableCode>}
      actions={data !== undefined && <CopyButton text={curlOf(data, me.service.api_url)} label="Copy as curl" />}
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
          {data !== undefined && <RequestAnswer request={data} />}
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
      ...(request.tool === null ? [] : [['Tool', <Code key="tool">{request.tool}</Code>] as const]),
      ...(request.client === null ? [] : [['Agent’s program', request.client] as const]),
      ['Time', <Time key="time" at={request.created_at} hasSeconds />],
      ['Duration', formatDuration(request.duration_ms)],
      ['API key', <KeyName key="key" keyId={request.key_id} />],
      ['IP address', <Code key="address">{request.client_address ?? 'unknown'}</Code>],
      ...subjectFacts(request),
      ...(hasMasked(request) ? [['Copy as curl', 'Fill in the masked values (•••) before you run it.'] as const] : []),
    ]}
  />
);

/** Links to what the request was about. */
function subjectFacts(request: LoggedRequest): (readonly [string, ReactNode])[] {
  const { orderId, giftId } = subjectsOf(request);
  return [
    ...(orderId === undefined ? [] : [['Order', <OrderLink key="order" orderId={orderId} />] as const]),
    ...(giftId === undefined ? [] : [['Gift', <GiftLink key="gift" giftId={giftId} />] as const]),
  ];
}

const linkClass = 'text-accent underline underline-offset-2';

function OrderLink({ orderId }: { orderId: string }) {
  const { params } = useScope();
  return (
    <Link to="/$organizationId/$environment/orders/$orderId" params={{ ...params, orderId }} className={linkClass}>
      <Code>{orderId}</Code>
    </Link>
  );
}

function GiftLink({ giftId }: { giftId: string }) {
  const { params } = useScope();
  return (
    <Link to="/$organizationId/$environment/gifts/$giftId" params={{ ...params, giftId }} className={linkClass}>
      <Code>{giftId}</Code>
    </Link>
  );
}

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
  if (body !== null)
    return (
      <JsonPanel
        title="Body"
        label="Request body"
        copies="Copy body"
        description={`Addresses and names are masked. “…” marks removed text.${length}`}
        json={body}
      />
    );
  return (
    <Panel title="Body">
      <p className="text-soft">
        {body_bytes === null || body_bytes === 0
          ? 'The request had no JSON body.'
          : `The body was not JSON, so it was not stored.${length}`}
      </p>
    </Panel>
  );
}

/** An error's answer is the panel “Error”. */
function RequestAnswer({ request: { status, answer, answer_bytes } }: { request: LoggedRequest }) {
  if (status >= MIN_ERROR) return null;
  if (answer !== null)
    return (
      <JsonPanel
        title="Response"
        label="Response body"
        copies="Copy response"
        description={`Addresses, names, links and metadata are masked. Original size: ${formatCount(answer_bytes ?? 0)} bytes.`}
        json={answer}
      />
    );
  return (
    <Panel title="Response">
      <p className="text-soft">
        {answer_bytes === null
          ? 'The response was not JSON, or the request is from before responses were stored.'
          : `The response was too long to store: ${formatCount(answer_bytes)} bytes.`}
      </p>
    </Panel>
  );
}

interface JsonPanelProps {
  title: string;
  /** For screen readers. */
  label: string;
  copies: string;
  description: string;
  json: string;
}

function JsonPanel({ title, label, copies, description, json }: JsonPanelProps) {
  const text = indent(json);
  return (
    <Panel title={title} description={description} actions={<CopyButton text={text} label={copies} />}>
      <section
        // biome-ignore lint/a11y/noNoninteractiveTabindex: keyboard users must be able to scroll it
        tabIndex={0}
        aria-label={label}
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
