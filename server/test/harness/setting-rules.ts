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
