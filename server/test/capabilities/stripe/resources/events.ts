import { invalidRequest, type Json, type Resource } from '../account.ts';

const MOST_TYPES = 20;
const KEPT_SECONDS = 30 * 86_400;

export const events: Resource = {
  'GET /v1/events/{id}': (account, { ids: [id = ''] }) => {
    const event = account.events.find((one) => one.id === id);
    if (event === undefined) throw invalidRequest(`No such event: '${id}'`, { code: 'resource_missing' }, 404);
    return event;
  },
  'GET /v1/events': (account, { form }) => {
    const { type, types = type === undefined ? undefined : [type] } = form;
    if (types?.length > MOST_TYPES)
      throw invalidRequest(`You may list at most ${MOST_TYPES} types.`, { param: 'types' });
    const isOf = (event: Json) =>
      event.created > account.now() - KEPT_SECONDS && (types === undefined || types.includes(event.type));
    return account.page('/v1/events', account.events.filter(isOf), form);
  },
};
