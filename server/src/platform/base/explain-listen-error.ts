import { OperatorError } from './operator-error.ts';

interface Listening {
  host: string;
  port: number;
  /** The variable that the port comes from. */
  portSetting: 'PORT' | 'METRICS_PORT' | 'OPERATOR_PAGE_PORT';
}

/** Returns an OperatorError if a setting is wrong, or else the error itself. */
export function explainListenError(error: unknown, { host, port, portSetting }: Listening): unknown {
  const hostSetting = portSetting === 'METRICS_PORT' ? 'METRICS_HOST' : 'HOST';
  const unknownHost = `${hostSetting} ${host} is not known; set it to an address of this machine.`;
  const sentences: Record<string, string> = {
    EADDRINUSE: `Port ${port} on ${host} is taken; stop the other program, or set ${portSetting} to another one.`,
    EACCES: `Port ${port} is not allowed for this user; set ${portSetting} to 1024 or above.`,
    EADDRNOTAVAIL: `${hostSetting} ${host} is not an address of this machine.`,
    EAFNOSUPPORT: `${hostSetting} ${host} is not supported on this machine; set it to another address of the machine.`,
    ENOTFOUND: unknownHost,
    EAI_AGAIN: unknownHost,
  };
  const sentence = sentences[String((error as NodeJS.ErrnoException).code)];
  return sentence === undefined ? error : new OperatorError(sentence);
}
