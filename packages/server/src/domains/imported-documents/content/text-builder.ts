export type TextBuilder = ReturnType<typeof createTextBuilder>;

// biome-ignore lint/suspicious/noControlCharactersInRegex: These characters are removed.
const controls = /[\u0000-\u0008\u000e-\u001f\u007f]/g;

/** Builds plain text from the pieces of a document: white space is collapsed, breaks are written before text only. */
export function createTextBuilder() {
  const parts: string[] = [];
  let breaks = 0;
  let separator = '';
  let prefix = '';
  let isPreserved = false;

  const append = (text: string): void => {
    if (parts.length > 0) parts.push('\n'.repeat(breaks));
    parts.push(breaks > 0 || parts.length === 0 ? '' : separator, prefix, text);
    breaks = 0;
    separator = '';
    prefix = '';
  };

  return {
    write: (given: string): void => {
      const text = given.replaceAll(controls, '');
      if (isPreserved) {
        if (text !== '') append(text);
        return;
      }
      const words = text.replaceAll(/[\s\u00a0]+/g, ' ');
      const trimmed = words.trim();
      if (words.startsWith(' ')) separator ||= ' ';
      if (trimmed === '') return;
      append(trimmed);
      if (words.endsWith(' ')) separator = ' ';
    },
    /** Ends the line; 2 leaves an empty line. */
    breakLines: (count: 1 | 2): void => {
      breaks = Math.max(breaks, count);
    },
    /** Ends a cell of a row. */
    cell: (): void => {
      separator = '\t';
    },
    /** Precedes the next text. */
    prefix: (mark: string): void => {
      prefix = mark;
    },
    /** Retains white space, as `pre` does. */
    preserve: (isOn: boolean): void => {
      isPreserved = isOn;
    },
    text: (): string => parts.join('').trim().toWellFormed(),
  };
}
