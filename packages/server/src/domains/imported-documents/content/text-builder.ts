export type TextBuilder = ReturnType<typeof createTextBuilder>;

// biome-ignore lint/suspicious/noControlCharactersInRegex: These characters are removed.
const controls = /[\u0000-\u0008\u000e-\u001f\u007f]/g;

/** Current row of a table. */
type Row = { readonly cells: number; readonly isInCell: boolean };

/** Builds plain text from the pieces of a document. Collapses white space, and writes breaks only before text. */
export function createTextBuilder() {
  const parts: string[] = [];
  let breaks = 0;
  let separator = '';
  let prefix = '';
  let isPreserved = false;
  const outerRows: Row[] = [];
  let row: Row = { cells: 0, isInCell: false };
  let tabs = 0;

  const append = (text: string): void => {
    if (parts.length > 0) parts.push('\n'.repeat(breaks));
    const before = tabs > 0 ? '\t'.repeat(tabs) : breaks > 0 || parts.length === 0 ? '' : separator;
    parts.push(before, prefix, text);
    breaks = 0;
    tabs = 0;
    separator = '';
    prefix = '';
  };

  return {
    write: (input: string): void => {
      const text = input.replaceAll(controls, '');
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
    /** Ends the line. 2 adds an empty line. */
    breakLines: (count: 1 | 2): void => {
      breaks = Math.max(breaks, count);
    },
    /** Separates words at the end of a line in a cell. */
    space: (): void => {
      separator ||= ' ';
    },
    isInCell: (): boolean => row.isInCell,
    openTable: (): void => {
      outerRows.push(row);
      row = { cells: 0, isInCell: false };
    },
    closeTable: (): void => {
      row = outerRows.pop() ?? row;
      tabs = 0;
    },
    /** Begins a row. The end tag of the previous row may be missing. */
    openRow: (): void => {
      row = { cells: 0, isInCell: false };
      tabs = 0;
    },
    /** Begins a cell. Writes one tab for each earlier cell, with or without text. */
    openCell: (): void => {
      if (outerRows.length === 0) return;
      if (row.cells > 0) tabs += 1;
      row = { cells: row.cells + 1, isInCell: true };
    },
    closeCell: (): void => {
      row = { ...row, isInCell: false };
    },
    /** Writes the mark before the next text. */
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
