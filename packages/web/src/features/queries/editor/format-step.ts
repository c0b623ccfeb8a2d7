/** Texts, placeholders, brackets, and all else up to the next of those. */
const tokens = /"(?:[^"\\]|\\.)*"|\{\{\s*\w+\s*\}\}|[{}[\],:]|[^\s{}[\],:"]+/g;

/** Lays out a step of a REST API, each member on a line. Values stay as they were written. Throws where it is no JSON. */
export function formatStep(text: string): string {
  // With something in the place of the placeholders it must be JSON.
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
