// Runs the built node by n8n's own execution of declarative nodes.
import { createRequire } from 'node:module';

const require = createRequire(`${process.env.NODE_PATH}/`);
const { ExecuteContext, RoutingNode } = require('n8n-core');
const { createRunExecutionData, Workflow } = require('n8n-workflow');
const { Bestow } = require(`${process.cwd()}/dist/nodes/Bestow/Bestow.node.js`);
const { BestowApi } = require(`${process.cwd()}/dist/credentials/BestowApi.credentials.js`);
const { BESTOW_URL, BESTOW_KEY } = process.env;

const nodeType = new Bestow();
const nodeTypes = { getByName: () => nodeType, getByNameAndVersion: () => nodeType, getKnownTypes: () => ({}) };
const credentials = { baseUrl: `${BESTOW_URL}/`, apiKey: BESTOW_KEY };
const additionalData = {
  credentialsHelper: {
    isCredentialUsableByNode: () => true,
    getDecrypted: async () => credentials,
    getParentTypes: () => [],
    getCredentialsProperties: () => new BestowApi().properties,
    preAuthentication: async () => undefined,
    authenticate: async (_credentials, _type, request) => ({
      ...request,
      headers: { ...request.headers, Authorization: `Bearer ${BESTOW_KEY}` },
    }),
  },
  webhookWaitingBaseUrl: 'http://localhost/waiting',
  formWaitingBaseUrl: 'http://localhost/form',
  variables: {},
};

/** Runs the node for each item. @param executionId differs between runs of a workflow */
async function run(parameters, items = [{}], executionId = '1') {
  const node = {
    id: 'node',
    name: 'Bestow',
    type: 'n8n-nodes-bestow.bestow',
    typeVersion: 1,
    position: [0, 0],
    parameters,
    credentials: { bestowApi: { id: '1', name: 'Bestow' } },
  };
  const workflow = new Workflow({ id: 'workflow', nodes: [node], connections: {}, active: false, nodeTypes });
  const main = [items.map((json, item) => ({ json, pairedItem: { item } }))];
  const context = new ExecuteContext(
    workflow,
    workflow.getNode('Bestow'),
    { ...additionalData, executionId },
    'manual',
    createRunExecutionData({}),
    0,
    main[0],
    { main },
    { node, data: { main }, source: null },
    [],
  );
  const [answers] = await new RoutingNode(context, nodeType).runNode();
  return answers.map(({ json }) => json);
}

const sending = {
  resource: 'gift',
  operation: 'send',
  sendOncePer: '=birthday-2027-{{ $json.employee }}',
  amount: 2_500,
  category: 'coffee',
  email: '={{ $json.email }}',
  recipientName: 'Ada',
};
const employees = [1, 2].map((employee) => ({ employee, email: 'delivered@sandbox.gift.test' }));
const ids = (orders) => orders.map(({ order_id }) => order_id);

const first = await run(sending, employees);
const again = await run(sending, employees, '2');
const outcomeOf = (sent) =>
  sent.then(
    (orders) => orders[0].status,
    () => 'failed',
  );
const unnamed = await outcomeOf(
  run({ ...sending, sendOncePer: '={{ $json.employee }}' }, [{ email: 'ada@sandbox.gift.test' }]),
);
const unended = await outcomeOf(run(sending, [{ email: 'ada@sandbox.gift.test' }]));
const lost = { employee: 3, email: 'response-lost@sandbox.gift.test' };
const retried = [await outcomeOf(run(sending, [lost], '3')), await outcomeOf(run(sending, [lost], '4'))];
const gifts = await run({ resource: 'gift', operation: 'getAll', returnAll: true });
const orders = await run({ resource: 'order', operation: 'getAll', limit: 1 });
const [order] = await run({ resource: 'order', operation: 'get', orderId: first[0].order_id });
const [gift] = await run({ resource: 'gift', operation: 'get', giftId: order.gifts[0].gift_id });
const [canceled] = await run({ resource: 'gift', operation: 'cancel', giftId: gift.gift_id });
const [canceledOrder] = await run({ resource: 'order', operation: 'cancel', orderId: first[1].order_id });
const [balance] = await run({ resource: 'balance', operation: 'get' });
process.stdout.write(
  JSON.stringify({
    sent: new Set(ids([...first, ...again])).size,
    unnamed,
    unended,
    retried,
    recipient: gift.personalization.recipient_name,
    gifts: gifts.length,
    orders: orders.length,
    canceled: [canceled, ...canceledOrder.gifts].every((one) => 'cancellation' in one),
    balance: balance.object,
  }),
);
