/** Document as JSON, or the reason why it cannot be read. */
export type ReadDocument = { readonly json: string } | { readonly fault: string };

const startsAsJson = /^\s*\{/;
/** Maximum number of YAML aliases. A few lines of nested aliases can expand to gigabytes. */
const aliasesMax = 100;

/** Reads a document in JSON or YAML. Returns JSON unchanged, and an empty text for an empty text. */
export async function readDocument(text: string): Promise<ReadDocument> {
  if (text.trim() === '') return { json: '' };
  if (startsAsJson.test(text)) return readJson(text);
  const { parse } = await import('yaml');
  try {
    const value: unknown = parse(text, { maxAliasCount: aliasesMax, logLevel: 'error' });
    if (typeof value !== 'object' || value === null)
      return { fault: 'This is neither JSON nor YAML with members.' };
    return { json: JSON.stringify(value) };
  } catch (error) {
    return { fault: `Not readable as YAML. ${firstLine(error)}` };
  }
}

function readJson(text: string): ReadDocument {
  try {
    JSON.parse(text);
    return { json: text };
  } catch (error) {
    return { fault: `Not readable as JSON. ${firstLine(error)}` };
  }
}

const firstLine = (error: unknown): string =>
  error instanceof Error ? (error.message.split('\n')[0] ?? '').replace(/:$/, '.') : '';
