/** The stream that people read, such as the process's error stream. */
type Output = {
  readonly isTTY?: boolean;
  /** Characters of a line, on a terminal. */
  readonly columns?: number;
  readonly write: (text: string) => unknown;
};

/** Whoever waits at a command: lines that stay, and on a terminal one that is rewritten. */
type Terminal = {
  readonly say: (line: string) => void;
  /** Undefined where the output is no terminal: what was written stays there. */
  readonly rewrite: ((line: string) => void) | undefined;
};

const lineStart = '\r\x1b[K';
const columnsUsual = 80;

/** Makes the terminal of a stream: a line that stays takes the place of the one that is rewritten. */
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
          // A line that wraps could not be rewritten.
          output.write(lineStart + line.slice(0, (output.columns ?? columnsUsual) - 1));
        }
      : undefined,
  };
}
