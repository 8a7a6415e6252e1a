import { isIP } from 'node:net';
import { listOf, refuse, text } from './setting-kinds.ts';

/** Settings of the senders of emails. */
export const senderSettings = {
  MAIL_FROM: text('Sender address of emails; required with `SMTP_URL`', 'none', (value, name) =>
    value === undefined || /^[^\s@<>]+@[^\s@<>]+\.[^\s@<>]+$/.test(value)
      ? value
      : refuse(name, 'an email address such as gifts@example.com', value),
  ),
  SENDER_DOMAIN_SPF: text(
    'Lets organizations [send from own domains](brand.md#your-own-domain): the SPF mechanisms of the mail server, such as `include:mail.example.com`, separated by blanks',
    'none: every email comes from `MAIL_FROM`',
    (value, name) =>
      value === undefined || /^(?:(?:include|a|mx|ip4|ip6|exists):[\w.:/-]{1,100}(?: (?!$)|$)){1,5}$/.test(value)
        ? value
        : refuse(name, 'SPF mechanisms such as include:mail.example.com', value),
  ),
  DNS_SERVERS: text(
    'DNS servers that are asked for the records of these domains, such as `10.0.0.2` or `10.0.0.2:5353`, separated by commas',
    'those of the machine',
    (value, name): string[] => {
      const servers = listOf(value ?? '');
      const wrong = servers.find(
        (server) => isIP(server) === 0 && !/^[\d.]+:\d{1,5}$|^\[[\da-f:]+\]:\d{1,5}$/i.test(server),
      );
      return wrong === undefined ? servers : refuse(name, 'a list of addresses such as 10.0.0.2:53', wrong);
    },
  ),
} as const;
