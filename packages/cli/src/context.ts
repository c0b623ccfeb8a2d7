import type { SvcClient } from '@svc/client';

/** Client that plans and applies files: of a remote service, or of the service on this machine. */
export type DefinitionsClient = Pick<SvcClient, 'planDefinitions' | 'applyDefinitions'>;

/** Inputs and outputs of a command line. */
export type CliContext = {
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Standard input, up to its end. */
  readonly stdin: AsyncIterable<Uint8Array>;
  /** Prompts for a secret that the terminal does not show; undefined without an interactive terminal. */
  readonly askSecret: ((question: string) => Promise<string>) | undefined;
  /** Writes the result to standard output, for scripts. */
  readonly answer: (part: string | Uint8Array) => void;
  /** Writes one line of progress or results for users to standard error. */
  readonly say: (line: string) => void;
  /** True if the output is a terminal. */
  readonly isTerminal: boolean;
  /** Folder of the program's stored credentials. */
  readonly folder: string;
  /** File that contains only the key, if the user named one. */
  readonly keyFile?: string | undefined;
  /** Runs work with the service of this machine, as one of its users; undefined in a program without it. */
  readonly onMachine?: <T>(userName: string, work: (client: DefinitionsClient) => Promise<T>) => Promise<T>;
  /** Aborted by Ctrl-C. */
  readonly signal: AbortSignal;
};

/** Ends a command with a message and an exit code. */
export class CommandFailure extends Error {
  readonly exitCode: number;

  constructor(message: string, exitCode: number) {
    super(message);
    this.exitCode = exitCode;
  }
}

/** Reads the standard input as text. */
export async function readInput({ stdin }: Pick<CliContext, 'stdin'>): Promise<string> {
  const parts: Uint8Array[] = [];
  for await (const part of stdin) parts.push(part);
  return Buffer.concat(parts).toString('utf8');
}
