/** What connects other programs to Bestow, each run by its own tool. */
export interface Connector {
  name: string;
  package: string;
  version: string;
  /** Programs that the machine must have. */
  needs: readonly string[];
  shows: string;
  /** A shell script, as those of clients, with `$BESTOW_URL`, `$BESTOW_KEY` and `$SDK`; it prints `sees`. */
  run: string;
  sees: object;
  /** What the organization has paid afterwards; null if the script resets the sandbox. */
  paidCents: number | null;
}

/** Installs into the cache, once, and again when the versions changed. */
const npm = (folder: string, packages: string) => `
[ "$(cat "$CACHE/${folder}/installed" 2>/dev/null)" = "${packages}" ] || {
  mkdir -p "$CACHE/${folder}"
  echo '{}' >"$CACHE/${folder}/package.json"
  npm install --silent --no-save --ignore-scripts --prefix "$CACHE/${folder}" ${packages}
  echo "${packages}" >"$CACHE/${folder}/installed"
}
export PATH="$CACHE/${folder}/node_modules/.bin:$PATH" NODE_PATH="$CACHE/${folder}/node_modules"`;

const collection = { name: 'collection', needs: ['npm'] };

/** The key of a retry is that of the first attempt. */
const RETRIED = { lost: { statuses: [null, 200], keys: 1 }, limited: { statuses: [429, 201], keys: 1 } };

/** Its own environment, because the packages of generators want other versions. */
const AIRBYTE = `
[ "$(cat "$CACHE/airbyte/installed" 2>/dev/null)" = 7.39.1 ] || {
  python3 -m venv "$CACHE/airbyte"
  "$CACHE/airbyte/bin/pip" install -q --disable-pip-version-check airbyte-cdk==7.39.1
  echo 7.39.1 >"$CACHE/airbyte/installed"
}
export PATH="$CACHE/airbyte/bin:$PATH"`;

export const connectors: readonly Connector[] = [
  {
    ...collection,
    package: 'newman',
    version: '6.2.2',
    shows: 'Postman’s runner sends every request, and retries an order with its key',
    run: `${npm('newman', 'newman@6.2.2')}
node "$HERE/connectors/newman.mjs"`,
    sees: { ...RETRIED, whole: { requests: 40, refused: [] }, failures: { whole: 0, areAllWithAWrongKey: true } },
    paidCents: null,
  },
  {
    ...collection,
    package: '@usebruno/cli',
    version: '4.1.0',
    shows: 'Bruno imports it, hands ids on, and retries an order with its key',
    run: `${npm('bruno', '@usebruno/cli@4.1.0')}
node "$HERE/connectors/bruno.mjs"`,
    sees: { issues: [], statuses: [429, 201, 200, 200, 200], keys: 1 },
    paidCents: 0,
  },
  {
    name: 'airbyte',
    package: 'airbyte-cdk',
    version: '7.39.1',
    needs: ['python3'],
    shows: 'the manifest is valid, reads every record of each stream, and then only new events',
    run: `${AIRBYTE}
node "$HERE/connectors/airbyte.mjs"`,
    sees: {
      check: 'SUCCEEDED',
      // Three events of each gift by email, one of each order, the funds and the key. A page has 1,000.
      first: { gifts: 400, orders: 40, balance_entries: 41, events: 1122 },
      second: { gifts: 410, orders: 41, balance_entries: 42, events: 28 },
      missing: [],
      links: 0,
    },
    paidCents: 410_000,
  },
  {
    name: 'n8n',
    package: '@n8n/node-cli',
    version: '0.48.3',
    needs: ['npm'],
    shows: 'the node is linted and built, and n8n’s engine sends once per value, also after a lost answer',
    // The whole of n8n needs a database that is compiled at its installation; this is its engine.
    run: `${npm('n8n', '@n8n/node-cli@0.48.3 n8n-workflow@2.41.0 n8n-core@2.41.1 typescript@5.9.3 eslint@9.32.0')}
cp -r "$SDK/n8n/." .
ln -s "$CACHE/n8n/node_modules" node_modules
n8n-node lint >n8n.log 2>&1 && n8n-node build >>n8n.log 2>&1 || { cat n8n.log; exit 1; }
N8N_USER_FOLDER=$PWD N8N_ENCRYPTION_KEY=unused N8N_LOG_LEVEL=silent node "$HERE/connectors/n8n.mjs" 2>n8n.log || { cat n8n.log; exit 1; }`,
    sees: {
      sent: 2,
      unnamed: 'failed',
      unended: 'failed',
      retried: ['failed', 'processed'],
      recipient: 'Ada',
      gifts: 3,
      orders: 1,
      canceled: true,
      balance: 'balance',
    },
    paidCents: 2_500,
  },
];
