import { steeringAddresses } from './steering.ts';

/** The steering table in Markdown, for the OpenAPI document. */
export function steeringTable(mailDomain: string): string {
  const rows = steeringAddresses.map(({ localParts, phone, description }) => {
    const names = localParts.map((localPart) => `\`${localPart}\``).join(', ');
    return `| ${names} | \`${phone}\` | ${description} |`;
  });
  // The domain stands once in the head: whole addresses would leave no room for the rest.
  return [`| …@${mailDomain} | Phone | What happens |`, '| --- | --- | --- |', ...rows].join('\n');
}
