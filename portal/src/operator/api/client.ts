import createClient from 'openapi-fetch';
import { noteAnswered } from '../../api/answered.ts';
import { fetchConfirmed } from '../../api/fresh-sign-in.ts';
import { servicePath } from '../../base/address.ts';
import type { paths } from './schema.d.ts';

/** The prefix of every URL of the operator's page. */
export const operatorPath = `${servicePath}/operator`;

/** The API of the operator's page, typed by the document that is made of its routes. Asks the person to sign in if an act needs it. */
export const operatorApi = createClient<paths>({ baseUrl: `${servicePath}/`, fetch: fetchConfirmed });
operatorApi.use(noteAnswered);
