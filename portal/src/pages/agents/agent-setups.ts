interface Setup {
  host: string;
  /** Where the text goes. */
  where: string;
  text: string;
}

/** The set-ups of programs that speak MCP over HTTP. @param serviceUrl the service's public address */
export function setupsOf(serviceUrl: string, token: string): readonly [Setup, ...Setup[]] {
  const url = `${serviceUrl}/mcp`;
  const headers = { Authorization: `Bearer ${token}` };
  const json = (content: object) => JSON.stringify(content, null, 2);
  return [
    {
      host: 'Claude Code',
      where: 'Run this command in a terminal.',
      text: `claude mcp add --transport http bestow ${url} --header "Authorization: Bearer ${token}"`,
    },
    {
      host: 'Cursor and others',
      where: 'Add this to .cursor/mcp.json, or to the settings of another program. Keep the file out of repositories.',
      text: json({ mcpServers: { bestow: { type: 'http', url, headers } } }),
    },
    {
      host: 'VS Code',
      where: 'Save this as .vscode/mcp.json. Keep the file out of repositories.',
      text: json({ servers: { bestow: { type: 'http', url, headers } } }),
    },
  ];
}
