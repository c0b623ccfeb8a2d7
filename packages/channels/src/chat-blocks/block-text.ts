/** Characters of one section of a block message, at most; the vendor's limit is 3,000. */
export const sectionCharactersMax = 2_900;

const escapes: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;' };
const zeroWidthSpace = '\u200b';

/**
 * Escapes a text for a block. It escapes the three characters that begin links, mentions and entities, and separates
 * adjacent backquotes. No value can end its code block.
 */
export function escapeBlockText(text: string): string {
  return text
    .toWellFormed()
    .replace(/[&<>]/g, (character) => escapes[character] ?? character)
    .replace(/`(?=`)/g, `\`${zeroWidthSpace}`);
}

/** Escapes a text and cuts it between characters so that the escaped form fits. */
export function fitBlockText(text: string, charactersMax = sectionCharactersMax): string {
  const whole = text.length <= charactersMax ? escapeBlockText(text) : undefined;
  if (whole !== undefined && whole.length <= charactersMax) return whole;
  let fitted = '';
  for (const character of text.slice(0, charactersMax)) {
    // Reserves space for the separator of two backquotes and for the ellipsis.
    const escaped = character === '`' ? `\`${zeroWidthSpace}` : escapeBlockText(character);
    if (fitted.length + escaped.length + 1 > charactersMax) break;
    fitted += escaped;
  }
  return `${fitted}…`;
}

/** Cuts a plain text between characters to a number of code units, which the vendor counts. */
export function fitPlainText(text: string, unitsMax: number): string {
  if (text.length <= unitsMax) return text.toWellFormed();
  let fitted = '';
  for (const character of text) {
    if (fitted.length + character.length + 1 > unitsMax) break;
    fitted += character;
  }
  return `${fitted.toWellFormed()}…`;
}

/** Returns a code block. The text must already be escaped. */
export const codeBlock = (escaped: string) => `\`\`\`\n${escaped}\n\`\`\``;

/** Groups lines into code blocks that each fit into a section. */
export function codeBlocksOf(lines: readonly string[]): string[] {
  const blocks: string[] = [];
  let current = '';
  for (const line of lines) {
    const escaped = fitBlockText(line);
    const joined = current === '' ? escaped : `${current}\n${escaped}`;
    if (joined.length > sectionCharactersMax) {
      blocks.push(codeBlock(current));
      current = escaped;
    } else {
      current = joined;
    }
  }
  return current === '' ? blocks : [...blocks, codeBlock(current)];
}
