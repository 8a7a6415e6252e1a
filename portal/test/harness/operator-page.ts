import type { Page } from 'playwright-core';
import {
  createOperatorClient,
  OPERATOR_EMAIL,
  type OperatorClient,
} from '../../../server/test/harness/operator-client.ts';
import { openVisit, type Visit } from './browser.ts';
import { type PortalService, startPortal, typeCode } from './portal.ts';

/** A portal whose service has an operator. */
export interface OperatedPortal extends PortalService {
  operator: OperatorClient;
  /** Opens a visit with the operator's session; `null`: signed out. */
  operatorVisit(who?: null): Promise<Visit>;
}

export async function startOperatedPortal(variables: Record<string, string> = {}): Promise<OperatedPortal> {
  const portal = await startPortal(variables);
  const { service, browser } = portal;
  const operator = await createOperatorClient(service);
  return {
    ...portal,
    operator,
    async operatorVisit(who) {
      const visit = await openVisit(browser, service.url);
      // The page says when the session ends.
      await visit.context.clock.install({ time: service.clock.now() });
      if (who !== null)
        await visit.context.addCookies(
          [...operator.cookies].map(([name, value]) => ({ name, value, url: service.url })),
        );
      return visit;
    },
  };
}

/** Signs in by typing the address, the mailed code and the code of the authenticator app. */
export async function signInAsOperator(page: Page, { service, operator }: OperatedPortal): Promise<void> {
  await typeCode(page, service, OPERATOR_EMAIL);
  await page.getByLabel('Code from your authenticator app').fill(operator.shown());
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
}
