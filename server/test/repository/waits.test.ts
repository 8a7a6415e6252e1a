import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { tableOf } from '../harness/document-tables.ts';

const read = (path: string) => readFileSync(new URL(`../../../${path}`, import.meta.url), 'utf8');

type Source = readonly [path: string, pattern: RegExp];

const MANIFEST = 'deploy/kubernetes/bestow.yaml';
const OTHER: Source = ['deploy/proxy/bestow-locations.conf', /^proxy_read_timeout (\d+)s/m];
const LONG: Source = ['deploy/proxy/bestow-locations.conf', /v1\/events.*\n(?:.*\n){2} *proxy_read_timeout (\d+)s/];
const PROBES: readonly Source[] = [
  [MANIFEST, /readinessProbe:[^-]*timeoutSeconds: (\d+)/],
  ['Dockerfile', /HEALTHCHECK .*--timeout=(\d+)s/],
];

/** Where the numbers of each row are from: the service's first, then the limits around it. */
const SOURCES: readonly (readonly Source[])[] = [
  [
    ['server/src/capabilities/feed/feed-query.ts', /parseNumber\('wait', wait, 0, (\d+)\)/],
    LONG,
    ['server/src/capabilities/webhooks/forward-events.ts', /READ_WITHIN_MS = ([\d_]+)/],
    ['docs/python.md', /\/v1\/events[\s\S]*?timeout=(\d+)/],
  ],
  [
    ['server/src/capabilities/mcp/acts/wait-for-events.ts', /MAX_WAIT_SECONDS = (\d+)/],
    LONG,
    ['server/src/capabilities/mcp/ask-remote.ts', /TIMEOUT_MS = ([\d_]+)/],
  ],
  [
    ['server/src/platform/api/operation.ts', /LONG_ANSWER_MS = ([\d_]+)/],
    ['deploy/proxy/bestow-locations.conf', /ledger\/verify.*\n(?:.*\n){2} *proxy_read_timeout (\d+)s/],
  ],
  [['server/src/capabilities/stripe/open-stripe.ts', /TIMEOUT_MS = ([\d_]+)/], LONG],
  [
    ['server/src/platform/database/connections.ts', /\nconst STATEMENT_TIMEOUT_MS = ([\d_]+)/],
    OTHER,
    ['sdk/src/send.ts', /tryTimeoutMs \?\? ([\d_]+)/],
  ],
  [['server/src/platform/database/readiness.ts', /ANSWER_WITHIN_MS = ([\d_]+)/], ...PROBES],
  [
    ['server/src/surfaces/process/run.ts', /STOP_WITHIN_MS = ([\d_]+)/],
    ['compose.yaml', /stop_grace_period: (\d+)s/],
    [MANIFEST, /terminationGracePeriodSeconds: (\d+)/],
  ],
];

function secondsIn([path, pattern]: Source): number {
  const found = Number(pattern.exec(read(path))?.[1]?.replaceAll('_', '') ?? assert.fail(`${path} has no ${pattern}.`));
  return found >= 1_000 ? found / 1_000 : found;
}

test('every limit of a proxy, probe or client is longer than the wait inside it', () => {
  const rows = tableOf(read('docs/operating.md'), 'waits');
  assert.equal(rows.length, SOURCES.length);
  for (const [index, [name, ...cells]] of rows.entries()) {
    const written = (cells.join(' ').match(/\d+(?= s\b)/g) ?? []).map(Number);
    assert.deepEqual(written, SOURCES[index]?.map(secondsIn), `${name}`);
    const [wait = 0, ...limits] = written;
    for (const limit of limits) assert.ok(limit > wait, `${name}`);
  }
});
