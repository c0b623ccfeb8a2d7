/** Characters that one section of a block message may have; the vendor's limit is 3,000. */
export const sectionCharactersMax = 2_900;

const escapes: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;' };
const zeroWidthSpace = '\u200b';

/**
 * A text for the inside of a block: the three characters that begin links, mentions and entities are escaped, and
 * backquotes are kept from meeting, so that no value ends the code block that it is in.
 */
export function escapeBlockText(text: string): string {
  return text
    .toWellFormed()
    .replace(/[&<>]/g, (character) => escapes[character] ?? character)
    .replace(/`(?=`)/g, `\`${zeroWidthSpace}`);
}

/** Escapes a text and cuts it so that the escaped form fits, at a character's end. */
export function fitBlockText(text: string, charactersMax = sectionCharactersMax): string {
  const whole = text.length <= charactersMax ? escapeBlockText(text) : undefined;
  if (whole !== undefined && whole.length <= charactersMax) return whole;
  let fitted = '';
  for (const character of text.slice(0, charactersMax)) {
    // Room for the space that keeps two backquotes apart, and for the ellipsis.
    const escaped = character === '`' ? `\`${zeroWidthSpace}` : escapeBlockText(character);
    if (fitted.length + escaped.length + 1 > charactersMax) break;
    fitted += escaped;
  }
  return `${fitted}…`;
}

/** Cuts a plain text to a number of code units, the vendor's measure, at a character's end. */
export function fitPlainText(text: string, unitsMax: number): string {
  if (text.length <= unitsMax) return text.toWellFormed();
  let fitted = '';
  for (const character of text) {
    if (fitted.length + character.length + 1 > unitsMax) break;
    fitted += character;
  }
  return `${fitted.toWellFormed()}…`;
}

/** A code block; the text must be escaped. */
export const codeBlock = (escaped: string) => `\`\`\`\n${escaped}\n\`\`\``;

/** Lines gathered into code blocks that each fit into a section. */
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
