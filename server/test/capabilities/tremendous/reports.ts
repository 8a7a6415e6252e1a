import { randomBytes } from 'node:crypto';
import type {
  CreateReport200Response,
  CreateReport200ResponseReport,
  CreateReportRequest,
  CreateReportRequestFiltersDigitalRewards,
  CreateReportRequestFiltersDigitalRewardsStatusEnum,
} from 'tremendous';
import { answer, type Handlers } from './calls.ts';
import { found, Refusal } from './refusal.ts';
import { newId, type Redemption, type Reward, type State } from './state.ts';

export interface Report {
  report: CreateReport200ResponseReport;
  csv: string;
  /** Of the file's address. */
  token: string;
}

const VALID_MS = 7 * 86_400_000;
const HEADER = [
  'Order ID',
  'External ID',
  'Reward ID',
  'Created at',
  'Amount',
  'Currency',
  'Status',
  'Redeemed at',
  'Redemption option',
];
const KNOWN_FILTERS = ['created_at', 'status', 'order_id', 'campaign_id'];

/** The column "Status", and the filter that matches. Rewards of orders that wait are not in a report. */
const statuses: Record<
  Exclude<Redemption['status'], 'pending'>,
  [shown: string, filter: CreateReportRequestFiltersDigitalRewardsStatusEnum]
> = {
  delivered: ['Delivered', 'delivered'],
  redeemed: ['Redeemed', 'delivered'],
  expired: ['Delivered', 'delivered'],
  flagged: ['Pending review', 'pending_review'],
  canceled: ['Canceled', 'canceled'],
};

export const reportHandlers: Handlers = {
  'POST /reports': (state, { body }) => {
    const { report_type, format, filters } = body as CreateReportRequest;
    if (report_type !== 'digital_rewards' || format !== 'csv')
      throw new Refusal(422, 'Report failed: validation failure', { report_type, format });
    const report: CreateReport200ResponseReport = {
      id: newId(),
      status: 'CREATED',
      created_at: state.time(),
      expected_completion_at: state.time(),
      url: null,
    };
    const csv = csvOf(state, filters?.digital_rewards ?? {});
    state.reports.set(report.id ?? '', { report, csv, token: randomBytes(24).toString('base64url') });
    return answer<CreateReport200Response>({ report, message: 'The report is being generated.' });
  },
  'GET /reports/ID': (state, { id }) => {
    const { report, token } = found(state.reports.get(id));
    if (report.status === 'CREATED') report.status = 'PROCESSING';
    else if (report.status === 'PROCESSING' && !state.isSlow)
      Object.assign(report, {
        status: 'READY_FOR_DOWNLOAD',
        expected_completion_at: state.time(),
        url: `${state.url}/files/${token}.csv`,
      });
    return answer<CreateReport200Response>({ report });
  },
};

/** The report at an address, which is valid for seven days. */
export function fileOf({ reports, now }: State, token: string): string {
  const { csv } = found(
    [...reports.values()].find(
      (one) =>
        one.token === token &&
        one.report.status === 'READY_FOR_DOWNLOAD' &&
        Date.parse(one.report.expected_completion_at ?? '') + VALID_MS > now,
    ),
  );
  return csv;
}

/** A row for each reward that matches. Days of `created_at` are whole, in UTC. */
function csvOf(state: State, filters: CreateReportRequestFiltersDigitalRewards): string {
  for (const name of Object.keys(filters))
    if (!KNOWN_FILTERS.includes(name)) throw new Refusal(422, `The fake does not know the filter ${name}.`);
  const rows = [...state.rewards.values()].flatMap((reward) => rowOf(state, reward, filters));
  return [HEADER, ...rows].map((row) => `${row.map(fieldOf).join(',')}\r\n`).join('');
}

function rowOf(state: State, reward: Reward, filters: CreateReportRequestFiltersDigitalRewards): string[][] {
  const { created_at: days, status: asked, order_id, campaign_id } = filters;
  const order = found(state.orders.get(reward.order_id));
  const { status, redeemedAt = '', product } = found(state.redemptions.get(reward.id));
  const day = reward.created_at.slice(0, 10);
  if (status === 'pending' || order.status === 'FAILED') return [];
  const [shown, filter] = statuses[status];
  const isAsked =
    day >= (days?.gte ?? '').slice(0, 10) &&
    day <= (days?.lte ?? '9999-12-31').slice(0, 10) &&
    (asked == null || asked.includes(filter)) &&
    (order_id ?? order.id) === order.id &&
    (campaign_id ?? order.campaign_id) === order.campaign_id;
  if (!isAsked) return [];
  const { denomination, currency_code } = reward.value;
  const amount = state.writes.amount(denomination.toFixed(2));
  const ids = [order.id, order.external_id ?? '', reward.id];
  return [
    [
      ...ids,
      reward.created_at,
      amount,
      currency_code,
      shown,
      redeemedAt && state.writes.time(redeemedAt),
      product?.name ?? '',
    ],
  ];
}

/** A field as RFC 4180 says. */
const fieldOf = (text: string) => (/[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text);
