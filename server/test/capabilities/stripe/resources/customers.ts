import { invalidRequest, type Json, type Resource } from '../account.ts';

const FIELDS = ['name', 'email', 'description', 'phone', 'address', 'preferred_locales'] as const;

function change(customer: Json, form: Json): Json {
  for (const field of FIELDS) if (form[field] !== undefined) customer[field] = form[field] === '' ? null : form[field];
  if (form.metadata !== undefined) customer.metadata = mergeMetadata(customer.metadata, form.metadata);
  const method = form.invoice_settings?.default_payment_method;
  if (method !== undefined) customer.invoice_settings.default_payment_method = method;
  return customer;
}

/** An empty value removes its key. */
export const mergeMetadata = (old: Json, added: Json) =>
  Object.fromEntries(Object.entries({ ...old, ...(added === '' ? {} : added) }).filter(([, value]) => value !== ''));

export const customers: Resource = {
  'POST /v1/customers': (account, { form }) => {
    const customer = account.add('cus', 'customer', {
      address: null,
      balance: 0,
      currency: null,
      default_source: null,
      delinquent: false,
      description: null,
      email: null,
      invoice_prefix: 'BESTOW',
      invoice_settings: { custom_fields: null, default_payment_method: null, footer: null, rendering_options: null },
      metadata: {},
      name: null,
      phone: null,
      preferred_locales: [],
      shipping: null,
      tax_exempt: 'none',
    });
    change(customer, form);
    account.emit('customer.created', customer);
    return customer;
  },
  'POST /v1/customers/{customer}': (account, { ids: [id = ''], form }) => {
    const customer = change(account.find(id, 'customer'), form);
    account.emit('customer.updated', customer);
    return customer;
  },
  'GET /v1/customers/{customer}': (account, { ids: [id = ''] }) => account.find(id, 'customer'),
  'GET /v1/customers': (account, { form }) => {
    const matching = account.all('customer', ({ email }) => form.email === undefined || email === form.email);
    return account.page('/v1/customers', matching, form);
  },
  'GET /v1/customers/{customer}/payment_methods': (account, { ids: [id = ''], form }) => {
    account.find(id, 'customer');
    const isOf = ({ customer, type }: Json) => customer === id && (form.type === undefined || type === form.type);
    if (form.limit > 100) throw invalidRequest('Limit is at most 100.', { param: 'limit' });
    return account.page(`/v1/customers/${id}/payment_methods`, account.all('payment_method', isOf), form);
  },
};
