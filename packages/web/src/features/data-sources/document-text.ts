/** A document as JSON, or what keeps it from being read. */
export type ReadDocument = { readonly json: string } | { readonly fault: string };

const startsAsJson = /^\s*\{/;
/** Aliases of YAML that are followed: a few lines of them can stand for gigabytes. */
const aliasesMax = 100;

/** Reads a document in JSON or YAML. JSON stays as it was written, empty text is empty. */
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
