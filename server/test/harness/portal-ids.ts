/** An id of each kind that the portal has in its addresses. */
export interface PortalIds {
  gift_id: string;
  order_id: string;
  key_id: string;
  grant_id: string;
  request_id: string;
  member_id: string;
  session_id: string;
  entry_id: string;
  event_id: string;
  endpoint_id: string;
  approval_id: string;
  batch_id: string;
  gift_request_id: string;
  issuer_id: string;
  connection_id: string;
  topup_id: string;
  payment_method_id: string;
}

/** Well-formed ids that do not exist. */
export const RANDOM_IDS: PortalIds = {
  gift_id: 'gift_01k0fxw4mzejhtt6k1sqh3p5cg',
  order_id: 'ord_01k0fxw4mze6hv3tqx4d5s8r2n',
  key_id: 'key_01k0fxw4mze6hv3tqx4d5s8r2n',
  grant_id: 'grant_01k0fxw4mze6hv3tqx4d5s8r2n',
  request_id: 'req_01k0fxw4mze6hv3tqx4d5s8r2n',
  member_id: 'mem_01k0fxw4mze6hv3tqx4d5s8r2n',
  session_id: '7f3c1c9e-8f1e-4a53-9a58-6d1d7f0f9f10',
  entry_id: 'led_01k0fxw4mze6hv3tqx4d5s8r2n',
  event_id: 'evt_01k0fxw4mze6hv3tqx4d5s8r2n',
  approval_id: 'apr_01k0fxw4mze6hv3tqx4d5s8r2n',
  batch_id: 'batch_01k0fxw4mze6hv3tqx4d5s8r2n',
  gift_request_id: 'ask_01k0fxw4mze6hv3tqx4d5s8r2n',
  issuer_id: 'iss_01k0fxw4mze6hv3tqx4d5s8r2n',
  connection_id: 'V1StGXR8_Z5jdHi6B-myT',
  topup_id: 'top_01k0fxw4mze6hv3tqx4d5s8r2n',
  payment_method_id: 'pm_1',
  endpoint_id: 'wh_01k0fxw4mze6hv3tqx4d5s8r2n',
};
