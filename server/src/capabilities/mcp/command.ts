import type { Command } from 'commander';
import { withExample } from '../../faces/command-line/add-command.ts';
import { readAgentAccess, withApiAccess } from '../../faces/command-line/api-access.ts';

export function mcpCommand(program: Command): void {
  const command = withExample(
    program
      .command('mcp')
      .description('offer an agent on this machine the tools of /mcp over standard input and output'),
    'mcp --url https://gifts.example.com',
  );
  withApiAccess(command).action(async ({ url }: { url?: string }) => {
    const access = readAgentAccess(url);
    const { serveMcpOverStdio } = await import('./serve-stdio.ts');
    await serveMcpOverStdio(access);
  });
}
