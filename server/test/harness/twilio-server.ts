import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { endWithTest } from './end-with-test.ts';

/** A message request to Twilio's API. */
export interface TwilioRequest {
  path: string;
  authorization: string | undefined;
  form: Record<string, string>;
}

/** Or no answer, or an answer of any text. */
export type TwilioAnswer =
  | 'accept'
  | 'hang up'
  | 'never'
  | { status: number; code?: number; message: string }
  | { status: number; text: string };

/** Speaks Twilio's message API (twilio.com/docs/messaging/api/message-resource). */
export interface TwilioServer {
  url: string;
  requests: TwilioRequest[];
  answer(act: (form: Record<string, string>) => TwilioAnswer): void;
  /** Also closes unanswered connections. */
  endSilence(): void;
  close(): Promise<void>;
}

export async function startTwilioServer(): Promise<TwilioServer> {
  let answerFor: (form: Record<string, string>) => TwilioAnswer = () => 'accept';
  const requests: TwilioRequest[] = [];
  const unanswered: ServerResponse[] = [];
  const send = (response: ServerResponse, status: number, body: object) =>
    response.writeHead(status, { 'Content-Type': 'application/json' }).end(JSON.stringify(body));
  const server = createServer(async (request, response) => {
    let text = '';
    for await (const chunk of request) text += chunk;
    const form = Object.fromEntries(new URLSearchParams(text));
    requests.push({ path: `${request.method} ${request.url}`, authorization: request.headers.authorization, form });
    const answer = answerFor(form);
    if (answer === 'hang up') return request.socket.destroy();
    if (answer === 'never') return void unanswered.push(response);
    if (typeof answer === 'object' && 'text' in answer)
      return response.writeHead(answer.status, { 'Content-Type': 'application/json' }).end(answer.text);
    if (answer !== 'accept') {
      const { status, code, message } = answer;
      const more_info = `https://www.twilio.com/docs/errors/${code}`;
      return send(response, status, { code, message, more_info, status });
    }
    const sid = `SM${String(requests.length).padStart(32, '0')}`;
    return send(response, 201, acceptedMessage(sid, request.url, form));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests,
    answer(act) {
      answerFor = act;
    },
    endSilence() {
      for (const response of unanswered.splice(0)) response.destroy();
    },
    close: endWithTest(() => {
      server.close();
      server.closeAllConnections();
    }),
  };
}

/** Twilio’s answer to an accepted message. */
function acceptedMessage(sid: string, url: string | undefined, form: Record<string, string>) {
  return {
    sid,
    account_sid: /AC[0-9a-f]{32}/.exec(url ?? '')?.[0],
    api_version: '2010-04-01',
    body: form['Body'],
    to: form['To'],
    from: form['From'] ?? null,
    messaging_service_sid: form['MessagingServiceSid'] ?? null,
    direction: 'outbound-api',
    status: 'queued',
    num_segments: '1',
    num_media: '0',
    price: null,
    price_unit: 'USD',
    error_code: null,
    error_message: null,
    date_created: 'Sat, 21 Nov 2026 12:00:00 +0000',
    date_updated: 'Sat, 21 Nov 2026 12:00:00 +0000',
    date_sent: null,
    uri: `/2010-04-01/Accounts/AC/Messages/${sid}.json`,
    subresource_uris: {},
  };
}
