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
