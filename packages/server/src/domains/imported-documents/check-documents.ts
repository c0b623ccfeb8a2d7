import {
  documentBytesMax,
  documentsMax,
  type LeftOut,
  type LeftOutReason,
  pathLengthMax,
  type SourceDocument,
} from './types.ts';

/** Checks the documents of a source against all limits. Of two documents with one path, the first stays. */
export function checkDocuments(candidates: readonly SourceDocument[]): {
  readonly documents: readonly SourceDocument[];
  readonly leftOut: readonly LeftOut[];
} {
  const documents = new Map<string, SourceDocument>();
  const leftOut: LeftOut[] = [];
  for (const document of candidates) {
    const reason = faultOf(document, documents);
    if (reason) leftOut.push({ path: document.path.slice(0, pathLengthMax), reason });
    else documents.set(document.path, document);
  }
  return { documents: [...documents.values()], leftOut };
}

function faultOf(
  { path, content }: SourceDocument,
  before: ReadonlyMap<string, SourceDocument>,
): LeftOutReason | undefined {
  const parts = path.split('/');
  if (path.length > pathLengthMax || /[\0\\]/.test(path)) return 'bad-path';
  if (parts.some((part) => part === '' || part === '.' || part === '..')) return 'bad-path';
  if (before.has(path)) return 'twice';
  if (before.size >= documentsMax) return 'too-many';
  if (Buffer.byteLength(content) > documentBytesMax) return 'too-large';
  // PostgreSQL cannot store NUL in text.
  return content.includes('\0') || !content.isWellFormed() ? 'not-utf-8' : undefined;
}
