// As JSON: times are texts.

export const endpointExample = {
  endpoint_id: 'wh_01k0fxw4mzejhtt6k1sqh3p5cg',
  url: 'https://shop.example/bestow',
  description: 'The web shop',
  types: null,
  ordered: false,
  status: 'enabled',
  disabled_reason: null,
  disabled_at: null,
  failing_since: null,
  paused_until: null,
  sequence: 17,
  previous_secret_until: null,
  created_at: '2026-11-21T12:00:00Z',
};

export const secretExample = { ...endpointExample, secret: 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSwMfKQ9r8GKYo=' };

export const deliveryExample = {
  event_id: 'evt_01k0fxw4mzejhtt6k1sqh3p5ch',
  type: 'gift.claimed',
  sequence: 17,
  previous_sequence: 16,
  status: 'delivered',
  next_attempt_at: null,
  created_at: '2026-11-21T12:00:01Z',
  attempts: [{ attempted_at: '2026-11-21T12:00:01Z', status: 204, failure_reason: null, body: '', duration_ms: 84 }],
};
