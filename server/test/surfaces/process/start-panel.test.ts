import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readConfig } from '../../../src/platform/configuration/config.ts';
import { type Started, startLine, startPanel } from '../../../src/surfaces/process/start-panel.ts';

const SECRETS = ['bestow-sandbox-key', 'bestow-live-key', '/outbox/token'];

const started: Started = {
  baseUrl: 'http://localhost:3000',
  metricsAddress: undefined,
  hasPortal: true,
  database: 'embedded PostgreSQL',
  config: readConfig({ PROCESSES: '1' }),
  demo: {
    sandboxKey: 'bestow-sandbox-key',
    liveKey: 'bestow-live-key',
    adminEmail: 'admin@demo.test',
    organizationName: 'Demo Organization',
  },
  outboxUrl: 'http://localhost:3000/outbox/token',
  showsSecrets: true,
  keyFiles: undefined,
  asRoot: [],
};

test('a terminal shows the keys, a curl with one of them, and the outbox’s address', () => {
  const text = startPanel(started);
  for (const secret of SECRETS) assert.ok(text.includes(secret), secret);
  assert.match(text, /^export KEY=bestow-sandbox-key$/m);
});

test('elsewhere no secret is printed, in words and in JSON', () => {
  const keyFiles = { live: '/data/live', sandbox: "/ann's data/sandbox" };
  const hidden = { ...started, showsSecrets: false, keyFiles };
  for (const text of [startPanel(hidden), startLine(hidden)])
    for (const secret of SECRETS) assert.ok(!text.includes(secret), secret);
  assert.ok(startPanel(hidden).includes(`export KEY="$(cat '/ann'\\''s data/sandbox')"\n`));
  assert.deepEqual(JSON.parse(startLine(hidden)), {
    base_url: 'http://localhost:3000',
    sandbox_key: null,
    live_key: null,
    sandbox_key_file: keyFiles.sandbox,
    live_key_file: keyFiles.live,
    outbox_url: null,
  });
});

test('a later start of a demo names who signs in, and no organization else', () => {
  const later = { ...started, demo: undefined };
  assert.match(
    startPanel({ ...later, demoAdmin: 'admin@demo.test' }),
    /Sign in as.* +admin@demo\.test \(the code is in the outbox\)/,
  );
  assert.doesNotMatch(startPanel(later), /Sign in/);
});
