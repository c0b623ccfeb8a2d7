import type { SvcClient } from '@svc/client';

/** What plans and applies files: a service elsewhere, or the one of this machine. */
export type DefinitionsClient = Pick<SvcClient, 'planDefinitions' | 'applyDefinitions'>;

/** What a command line reads and writes. */
export type CliContext = {
  readonly env: Readonly<Record<string, string | undefined>>;
  /** What is given on the input, to its end. */
  readonly stdin: AsyncIterable<Uint8Array>;
  /** Asks a person for a secret that the terminal does not show; undefined where nobody sits at one. */
  readonly askSecret: ((question: string) => Promise<string>) | undefined;
  /** The answer itself, on the output: what a script reads. */
  readonly answer: (part: string | Uint8Array) => void;
  /** Progress and findings for people: one line at a time, on the error stream. */
  readonly say: (line: string) => void;
  /** True where the output is a terminal. */
  readonly isTerminal: boolean;
  /** Where the program keeps what it remembers. */
  readonly folder: string;
  /** A file whose content is the key, where one was named. */
  readonly keyFile?: string | undefined;
  /** The service of this machine, as one of its users; undefined in a program that knows none. */
  readonly onMachine?: <T>(userName: string, work: (client: DefinitionsClient) => Promise<T>) => Promise<T>;
  /** Ctrl-C. */
  readonly signal: AbortSignal;
};

/** Ends a command with a sentence and a code of its own. */
export class CommandFailure extends Error {
  readonly exitCode: number;

  constructor(message: string, exitCode: number) {
    super(message);
    this.exitCode = exitCode;
  }
}

/** What stands on the input, as text. */
export async function readInput({ stdin }: Pick<CliContext, 'stdin'>): Promise<string> {
  const parts: Uint8Array[] = [];
  for await (const part of stdin) parts.push(part);
  return Buffer.concat(parts).toString('utf8');
}
