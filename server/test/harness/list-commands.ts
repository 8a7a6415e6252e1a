import type { runBestow } from './command-line.ts';

type Bestow = (args: readonly string[]) => ReturnType<typeof runBestow>;

/** Lists every command by the help, such as `serve` and `org create`, in its order. */
export async function listCommands(bestow: Bestow): Promise<string[]> {
  const listed: string[] = [];
  const helpOf = async (...words: string[]) => (await bestow([...words, '--help'])).stdout;
  for (const name of commandsIn(await helpOf())) {
    const help = await helpOf(name);
    listed.push(...(help.includes('\nCommands:') ? commandsIn(help).map((inner) => `${name} ${inner}`) : [name]));
  }
  return listed;
}

/** The names of the commands that a help text lists, except `help`. */
function commandsIn(help: string): string[] {
  const [, list = ''] = /^Commands:\n(.*?)\n\n/ms.exec(help) ?? [];
  const names = [...list.matchAll(/^ {2}([a-z-]+) /gm)].map(([, name = '']) => name);
  return names.filter((name) => name !== 'help');
}
