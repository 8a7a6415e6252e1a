import { setCaps } from '../../src/core/caps/set-caps.ts';
import type { ErrorCode } from '../../src/platform/base/errors.ts';
import { type Agent, connectAgent } from './agent.ts';
import { OPERATOR } from './operator.ts';
import type { TestOrganization, TestService } from './test-service.ts';

/** Errors of tools, each with what provokes it and a script that does what its `next_step` says. */

// biome-ignore lint/suspicious/noExplicitAny: answers of every shape
export type Body = any;

/** Calls a tool that must succeed, or that must fail. */
interface Caller extends Pick<Agent, 'preview'> {
  ok(name: string, given?: object): Promise<Body>;
  error(name: string, given?: object): Promise<Body>;
}

export interface Scene {
  service: TestService;
  organization: TestOrganization;
  agent: Caller;
  /** What the next call of `again` sends. */
  given: object;
}

export interface ErrorRow {
  code: ErrorCode;
  how: string;
  /** Returns the error. */
  provoke(scene: Scene): Promise<Body>;
  says: RegExp;
  /** Undefined if an agent must stop. */
  follow?(scene: Scene, error: Body): Promise<unknown>;
  /** Cents. */
  bought: number;
}

export const GIFT_CENTS = 2_500;

export async function openScene(service: TestService): Promise<Scene> {
  const organization = await service.organization({ sandbox: 100_000 });
  const agent = await connectAgent(service.url, organization.keys.sandbox);
  const call = (isExpected: boolean) => async (name: string, given?: object) => {
    const { isError, body } = await agent.call(name, given);
    if (isError !== isExpected) throw new Error(`${name}: ${JSON.stringify(body)}`);
    return isError ? body.error : body;
  };
  return { service, organization, given: {}, agent: { preview: agent.preview, ok: call(false), error: call(true) } };
}

/** Previews and places an order of these gifts. */
export const place = async ({ agent }: Scene, ...gifts: object[]): Promise<Body> =>
  agent.ok('place_order', await agent.preview({ gifts }));

/** The same of one gift; returns its id. */
export const give = async (scene: Scene, one: object): Promise<string> => (await place(scene, one)).gifts[0].gift_id;

export const again = ({ agent, given }: Scene) => agent.ok('place_order', given);

/** Holds rows or a lock as another process would, while the act runs. */
export async function whileHeld<Result>({ service }: Scene, text: string, act: () => Promise<Result>): Promise<Result> {
  await service.sql('begin');
  try {
    await service.sql(text);
    return await act();
  } finally {
    await service.sql('rollback');
  }
}

/** Caps what orders may cost on a day. */
export async function capDay({ service, organization: { organizationId } }: Scene, day: number): Promise<void> {
  await setCaps(service.service.deps, { organizationId, environment: 'sandbox', amounts: { day }, actor: OPERATOR });
}
