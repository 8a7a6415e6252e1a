import { OperatorError } from './operator-error.ts';

interface Listening {
  host: string;
  port: number;
  /** The variable that the port comes from. */
  portSetting: 'PORT' | 'METRICS_PORT';
}

/** An OperatorError where the setting is to blame, or the error itself. */
export function explainListenError(error: unknown, { host, port, portSetting }: Listening): unknown {
  const unknownHost = `HOST ${host} is not known; set it to an address of this machine.`;
  const sentences: Record<string, string> = {
    EADDRINUSE: `Port ${port} on ${host} is taken; stop what listens there, or set ${portSetting} to another one.`,
    EACCES: `Port ${port} is not allowed for this user; set ${portSetting} to 1024 or above.`,
    EADDRNOTAVAIL: `HOST ${host} is not an address of this machine.`,
    EAFNOSUPPORT: `HOST ${host} is of a kind that this machine does not speak; set it to another address of it.`,
    ENOTFOUND: unknownHost,
    EAI_AGAIN: unknownHost,
  };
  const sentence = sentences[String((error as NodeJS.ErrnoException).code)];
  return sentence === undefined ? error : new OperatorError(sentence);
}
