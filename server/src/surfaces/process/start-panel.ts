import { styleText } from 'node:util';
import { BESTOW_PATH } from '../../faces/command-line/bestow-path.ts';
import type { Config } from '../../platform/configuration/config.ts';
import type { SeededDemo } from '../seed/seed-demo.ts';
import type { KeyFiles } from './keep-keys.ts';

export interface Started {
  baseUrl: string;
  /** Undefined if metrics are off. */
  metricsAddress: string | undefined;
  /** Kind and location of the database. */
  database: string;
  config: Config;
  /** Only on the first run, which shows the keys once. */
  demo: SeededDemo | undefined;
  /** Who signs in to a demo of an earlier start. */
  demoAdmin?: string | undefined;
  /** False while the first `npm start` builds the portal. */
  hasPortal: boolean;
  /** Undefined if there is no outbox page. */
  outboxUrl: string | undefined;
  /** The address for funds and the clock; only of a temporary service. */
  controlUrl?: string | undefined;
  /** False if the output may end in a log that others read. */
  showsSecrets: boolean;
  /** The files with the demo's keys; undefined if they are shown. */
  keyFiles: KeyFiles | undefined;
  /** What the start by root made and changed on the machine. */
  asRoot: readonly string[];
}

type Group = [heading: string, rows: [label: string, value: string][]];

/** Renders what the terminal shows when the service is ready. */
export function startPanel(started: Started): string {
  const groups = groupsOf(started);
  const width = Math.max(...groups.flatMap(([, rows]) => rows.map(([label]) => label.length)));
  const texts = groups.map(([heading, rows]) => {
    const lines = rows.map(([label, value]) => `    ${styleText('dim', label.padEnd(width))}  ${value}`);
    return `  ${styleText('bold', heading)}\n${lines.join('\n')}`;
  });
  const ready = styleText(['bold', 'green'], 'Bestow is ready.');
  return `\n${ready}\n\n${texts.join('\n\n')}\n\n${next(started)}\nStop it with Ctrl-C.\n\n`;
}

function groupsOf({ baseUrl, metricsAddress, database, config, demo, outboxUrl, ...more }: Started): Group[] {
  const { showsSecrets, keyFiles, demoAdmin } = more;
  const signIn = (email: string) => `${email}${outboxUrl === undefined ? '' : ' (the code is in the outbox)'}`;
  const addresses: Group = [
    'Addresses',
    [
      ['API', `${baseUrl}/v1`],
      ['Portal', `${baseUrl}/portal${more.hasPortal ? '' : ' (being built, about half a minute)'}`],
      ['Documentation', `${baseUrl}/docs`],
    ],
  ];
  if (demo === undefined && demoAdmin !== undefined) addresses[1].splice(2, 0, ['Sign in as', signIn(demoAdmin)]);
  if (outboxUrl !== undefined)
    addresses[1].push(['Outbox', showsSecrets ? outboxUrl : `${BESTOW_PATH} outbox url prints its address`]);
  if (metricsAddress !== undefined) addresses[1].push(['Metrics', metricsAddress]);
  const service: Group = [
    'Service',
    [
      ['Data', database],
      ['Environments', config.serveEnvironments.join(', ')],
      ['Test address that fails', `delivery-failed@${config.sandboxMailDomain}`],
    ],
  ];
  if (config.processes > 1) service[1].push(['Processes', String(config.processes)]);
  for (const change of more.asRoot) service[1].push(['Started as root', change]);
  if (demo === undefined) return [addresses, service];
  const isShown = keyFiles === undefined;
  const organization: Group = [
    demo.organizationName,
    [
      ['Sign in as', signIn(demo.adminEmail)],
      [isShown ? 'Sandbox key, shown once' : 'Sandbox key, in the file', keyFiles?.sandbox ?? demo.sandboxKey],
      [isShown ? 'Live key, shown once' : 'Live key, in the file', keyFiles?.live ?? demo.liveKey],
    ],
  ];
  return [addresses, service, organization];
}

function next({ baseUrl, config, demo, keyFiles }: Started): string {
  if (demo === undefined)
    return `  Another key: ${BESTOW_PATH} key create --org ID --environment sandbox --name NAME  (ids: ${BESTOW_PATH} org list)\n`;
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
  return `  ${styleText('bold', 'Paste this to place your first order.')} Pasting it again charges nothing twice:

export KEY=${keyForShell(demo, keyFiles)}
curl -s -w '\\n' '${baseUrl}/v1/orders' \\
  -H "Authorization: Bearer $KEY" \\
  -H 'Idempotency-Key: my-first-order' \\
  -H 'Content-Type: application/json' \\
  -d '${JSON.stringify(body)}'
`;
}

const keyForShell = ({ sandboxKey }: SeededDemo, keyFiles: KeyFiles | undefined) =>
  keyFiles === undefined ? sandboxKey : `"$(cat '${keyFiles.sandbox.replaceAll("'", "'\\''")}')"`;

/** For programs, in one line: the keys are null if no organization was seeded, or if they are in files. */
export function startLine({ baseUrl, demo, outboxUrl, showsSecrets, keyFiles, controlUrl }: Started): string {
  const shown = showsSecrets ? demo : undefined;
  const files = keyFiles && { sandbox_key_file: keyFiles.sandbox, live_key_file: keyFiles.live };
  const keys = { sandbox_key: shown?.sandboxKey ?? null, live_key: shown?.liveKey ?? null };
  const outbox_url = (showsSecrets ? outboxUrl : undefined) ?? null;
  return `${JSON.stringify({ base_url: baseUrl, ...keys, ...files, outbox_url, control_url: controlUrl })}\n`;
}
