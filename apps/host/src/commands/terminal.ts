/** Output stream for users, such as the process's error stream. */
type Output = {
  readonly isTTY?: boolean;
  /** Characters per line of a terminal. */
  readonly columns?: number;
  readonly write: (text: string) => unknown;
};

/** Output for the user of a command: permanent lines, and on a terminal one rewritten line. */
type Terminal = {
  readonly say: (line: string) => void;
  /** Undefined if the output is not a terminal: written text cannot be replaced. */
  readonly rewrite: ((line: string) => void) | undefined;
};

const lineStart = '\r\x1b[K';
const columnsUsual = 80;

/** Creates the terminal of a stream. A permanent line replaces the rewritten line. */
export function terminalOf(output: Output): Terminal {
  let isRewriting = false;
  return {
    say: (line) => {
      output.write(`${isRewriting ? lineStart : ''}${line}\n`);
      isRewriting = false;
    },
    rewrite: output.isTTY
      ? (line) => {
          isRewriting = true;
          // A wrapped line could not be rewritten.
          output.write(lineStart + line.slice(0, (output.columns ?? columnsUsual) - 1));
        }
      : undefined,
  };
}
