/** Reads one line that the terminal does not show. @throws Error if the user cancels with Ctrl-C. */
export function askSecret(
  input: NodeJS.ReadStream,
  output: NodeJS.WritableStream,
  question: string,
): Promise<string> {
  return new Promise((resolve, reject) => {
    let text = '';
    const finish = (settle: () => void) => {
      input.off('data', read);
      input.setRawMode(false);
      input.pause();
      output.write('\n');
      settle();
    };
    const read = (part: string | Buffer) => {
      for (const character of part.toString()) {
        if (character === '\r' || character === '\n') return finish(() => resolve(text));
        if (character === '\u0003') return finish(() => reject(new Error('Stopped.')));
        text = character === '\u007f' || character === '\b' ? text.slice(0, -1) : text + character;
      }
    };
    output.write(question);
    input.setRawMode(true);
    input.resume();
    input.on('data', read);
  });
}
