import type { Config } from '../config.ts';
import { hasOutboxPage } from '../outbox/routes.ts';
import type { SeededDemo } from '../seed/seed-demo.ts';

interface Started {
  baseUrl: string;
  /** Undefined if metrics are off. */
  metricsAddress: string | undefined;
  /** Kind and location of the database. */
  database: string;
  config: Config;
  /** Only on the first run, which shows the keys once. */
  demo: SeededDemo | undefined;
}

/** Renders what the terminal shows when the service is ready. */
export function startPanel({ baseUrl, metricsAddress, database, config, demo }: Started): string {
  const failing = `delivery-failed@${config.sandboxMailDomain}`;
  const rows = [
    ['Address', baseUrl],
    ['Documentation', `${baseUrl}/docs`],
    ['Portal', `${baseUrl}/portal`],
    ...(hasOutboxPage(config, baseUrl) ? [['Outbox', `${baseUrl}/outbox`]] : []),
    ...(metricsAddress === undefined ? [] : [['Metrics', metricsAddress]]),
    ['Data', database],
    ['Environments', config.serveEnvironments.join(', ')],
    ['Test address for a failed delivery', failing],
    ...(demo === undefined
      ? []
      : [
          ['Organization', demo.organizationName],
          [
            'Sign in to the portal as',
            hasOutboxPage(config, baseUrl) ? `${demo.adminEmail} (the code is in the outbox)` : demo.adminEmail,
          ],
          ['Sandbox key, shown once', demo.sandboxKey],
          ['Live key, shown once', demo.liveKey],
        ]),
  ];
  const width = Math.max(...rows.map(([label = '']) => label.length));
  const lines = rows.map(([label = '', value = '']) => `  ${label.padEnd(width)}  ${value}`);
  return `\nBestow is ready.\n\n${lines.join('\n')}\n\n${next(baseUrl, config, demo)}\nStop it with Ctrl-C.\n\n`;
}

function next(baseUrl: string, config: Config, demo: SeededDemo | undefined): string {
  if (demo === undefined)
    return '  Another key: npx bestow key create --org ID --environment sandbox --name NAME  (ids: npx bestow org list)\n';
  const body = {
    gifts: [
      {
        amount: 2500,
        category: 'coffee',
        delivery: { method: 'email', email: `delivered@${config.sandboxMailDomain}` },
        personalization: { recipient_name: 'Ada' },
      },
      { amount: 5000, category: 'books', delivery: { method: 'link' } },
    ],
  };
  return `  Paste this to place your first order. Pasting it again charges nothing twice:

curl -s '${baseUrl}/v1/orders' \\
  -H 'Authorization: Bearer ${demo.sandboxKey}' \\
  -H 'Idempotency-Key: my-first-order' \\
  -H 'Content-Type: application/json' \\
  -d '${JSON.stringify(body)}'
`;
}
