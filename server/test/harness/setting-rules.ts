/** What the settings of sender domains, certificates and the history accept and refuse. */
export const settingRules = {
  NODE_EXTRA_CA_CERTS: {
    // This file has the line -----BEGIN CERTIFICATE-----.
    accepted: [[import.meta.filename, import.meta.filename] as [string, unknown]],
    expected: 'a file of PEM certificates',
    refused: ['/nowhere/ca.pem', import.meta.dirname],
    quote: (text: string) => text,
  },
  HISTORY_FILE: {
    accepted: [['elsewhere', 'elsewhere'] as [string, unknown]],
    expected: '',
    refused: [],
    quote: (text: string) => text,
  },
  BACKUP_FILE: {
    accepted: [['/var/backups/bestow.dump', '/var/backups/bestow.dump'] as [string, unknown]],
    expected: '',
    refused: [],
    quote: (text: string) => text,
  },
  GERMAN_ADDRESS: {
    accepted: [['formal', 'formal'] as [string, unknown]],
    expected: 'one of informal, formal',
    refused: ['Sie'],
    quote: (text: string) => text,
  },
  OPERATOR_NAME: {
    accepted: [['Example Gifts Ltd', 'Example Gifts Ltd'] as [string, unknown]],
    expected: 'a name of at most 100 characters in one line',
    refused: ['x'.repeat(101), 'two\nlines', 'turned\u202eround'],
    quote: () => undefined,
  },
  OPERATOR_EMAIL: {
    accepted: [['help@example.com', 'help@example.com'] as [string, unknown]],
    expected: 'an email address such as help@example.com',
    refused: ['help', 'Help <help@example.com>', 'help@example', 'mailto:a b@example.com'],
    quote: (text: string) => text,
  },
  OPERATOR_URL: {
    accepted: [['https://example.com/help', 'https://example.com/help'] as [string, unknown]],
    expected: 'an http:// or https:// address without user and password',
    refused: ['example.com', 'javascript:alert(1)', 'mailto:help@example.com', 'https://user@example.com'],
    quote: () => undefined,
  },
  OPERATOR_PAGE_PORT: {
    accepted: [['3100', 3100] as [string, unknown]],
    expected: 'a whole number from 1 to 65535',
    refused: ['0', '65536', 'own'],
    quote: (text: string) => text,
  },
  OPERATOR_PAGE_URL: {
    accepted: [['https://ops.gifts.example/', 'https://ops.gifts.example'] as [string, unknown]],
    expected: 'an http:// or https:// address without a path',
    refused: ['ops.gifts.example', 'ftp://ops.gifts.example', 'https://gifts.example/ops'],
    quote: () => undefined,
  },
  OPERATOR_PAGE_NETWORKS: {
    accepted: [['10.1.0.0/16, 192.0.2.1', ['10.1.0.0/16', '192.0.2.1']] as [string, unknown]],
    expected: 'a list of networks such as 10.1.0.0/16',
    refused: ['office', '10.1.0.0/40'],
    quote: (text: string) => text,
  },
  SENDER_DOMAIN_SPF: {
    accepted: [['include:a.example ip4:192.0.2.0/24', 'include:a.example ip4:192.0.2.0/24'] as [string, unknown]],
    expected: 'SPF mechanisms such as include:mail.example.com',
    refused: ['mail.example.com', 'include:a -all', 'v=spf1 include:a'],
    quote: (text: string) => text,
  },
  DNS_SERVERS: {
    accepted: [['10.0.0.2, [::1]:53', ['10.0.0.2', '[::1]:53']] as [string, unknown]],
    expected: 'a list of addresses such as 10.0.0.2:53',
    refused: ['dns.example', '10.0.0.2:'],
    quote: (text: string) => text,
  },
};
