import type { TSchema } from 'typebox';
import type { PageAct } from '../../faces/operator-acts/operator-act.ts';
import { schemas } from '../../faces/operator-acts/schemas.ts';
import type { AllDeps } from '../deps.ts';
import type { OperatorRegister } from './register.ts';

/** Adds declared acts to the operator's page. @param shown what they answer, if not their result */
export function actRoutes(
  register: OperatorRegister,
  deps: AllDeps,
  acts: Readonly<Record<string, PageAct<AllDeps>>>,
  shown?: { response: TSchema; show(params: Record<string, string>): Promise<unknown> },
): void {
  for (const { operation, answer, about } of Object.values(acts))
    register(
      { ...operation(schemas), ...(shown && { response: shown.response }) },
      async (call) => {
        const done = await answer(deps, call);
        return shown ? shown.show(call.params) : done;
      },
      about,
    );
}
