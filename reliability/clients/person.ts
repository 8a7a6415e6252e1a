import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { everything } from '../../server/test/harness/agent-grant.ts';
import { openBrowser, terms, visit } from '../../server/test/harness/assistant.ts';
import type { TestOrganization, TestService } from '../../server/test/harness/test-service.ts';

/**
 * Plays an admin and their browser: opens the address in the body of a request, agrees, and answers with the address where the
 * browser ends.
 */
export async function startPerson(
  service: TestService,
  { organizationId }: TestOrganization,
): Promise<{ url: string; close(): void }> {
  const browser = await openBrowser(service);
  const agree = async (address: string): Promise<string> => {
    const asked = await visit(browser, address);
    const connectionId = asked.location?.pathname.split('/').at(-1);
    const path = `/organizations/${organizationId}/sandbox/connections/${connectionId}`;
    const answer = await browser.call('POST', path, terms({ ...everything, reach: 'all' }));
    return String((await visit(browser, JSON.parse(answer.text).redirect_to)).location);
  };
  const server = createServer(async (request, response) => {
    response.end(await agree(await text(request)));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: () => server.close(),
  };
}
