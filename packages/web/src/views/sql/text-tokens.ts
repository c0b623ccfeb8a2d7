import { isReserved } from './quoting.ts';

/** Syntax colour of a token. Undefined means the default colour. */
type Colour = 'keyword' | 'string' | 'number' | 'comment';

type Token = { readonly text: string; readonly colour: Colour | undefined };

const tokenPattern =
  /(?<comment>--[^\n]*|\/\*[\s\S]*?(?:\*\/|$))|(?<string>'(?:[^']|'')*'?|"[^"\n]*"?|`[^`\n]*`?)|(?<number>\b\d+(?:\.\d+)?\b)|(?<word>[\p{L}_][\p{L}\p{N}_$]*)|[\s\S]/gu;

/** Maximum length of a coloured text. Longer texts have the default colour. */
const colouredMax = 50_000;

function colourOf(groups: Readonly<Record<string, string | undefined>>): Colour | undefined {
  if (groups['comment'] !== undefined) return 'comment';
  if (groups['string'] !== undefined) return 'string';
  if (groups['number'] !== undefined) return 'number';
  return isReserved(groups['word'] ?? '') ? 'keyword' : undefined;
}

/** Splits a statement into tokens of one colour each. Their concatenation is the statement. */
export function textTokens(text: string): readonly Token[] {
  if (text.length > colouredMax) return [{ text, colour: undefined }];
  const tokens: Token[] = [];
  for (const { 0: piece, groups = {} } of text.matchAll(tokenPattern)) {
    const colour = colourOf(groups);
    const last = tokens.at(-1);
    if (last && last.colour === colour) tokens[tokens.length - 1] = { text: last.text + piece, colour };
    else tokens.push({ text: piece, colour });
  }
  return tokens;
}
