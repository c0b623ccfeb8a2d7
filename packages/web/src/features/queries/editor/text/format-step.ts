/** Matches strings, placeholders, punctuation, and other text up to the next of these. */
const tokens = /"(?:[^"\\]|\\.)*"|\{\{\s*\w+\s*\}\}|[{}[\],:]|[^\s{}[\],:"]+/g;

/** Formats a step of a REST API with one member per line. Values stay unchanged. Throws for invalid JSON. */
export function formatStep(text: string): string {
  // The text must be JSON after a value replaces each placeholder.
  JSON.parse(text.replaceAll(tokens, (token) => (token.startsWith('{{') ? '0' : token)));
  let depth = 0;
  let before = '';
  let laidOut = '';
  for (const [token] of text.matchAll(tokens)) {
    const closes = token === '}' || token === ']';
    const isEmpty = closes && (before === '{' || before === '[');
    if (closes) depth--;
    const isOnNewLine = isEmpty ? false : closes || before === '{' || before === '[' || before === ',';
    if (isOnNewLine) laidOut += `\n${'  '.repeat(depth)}`;
    laidOut += token === ':' ? ': ' : token;
    if (token === '{' || token === '[') depth++;
    before = token;
  }
  return laidOut;
}
