import type { RequirementEntry } from '../../entry.ts';

/** Documents of projects that project admins upload, next to the documents that the host imports. */
export const documents = [
  {
    id: 'RT-4.3-1410',
    section: '4.3',
    text: '`POST /svc/api/projects/{id}/imported-documents` lets a ProjectAdmin upload a Markdown, text or HTML document.',
  },
  {
    id: 'RT-4.3-1411',
    section: '4.3',
    text: 'An uploaded HTML document is stored and returned as its text only, without scripts and markup.',
  },
  {
    id: 'RT-4.3-1412',
    section: '4.3',
    text: 'Uploaded bytes that are not Markdown, text or HTML are refused with 400, whatever their name is.',
  },
  {
    id: 'RT-4.3-1413',
    section: '4.3',
    text: 'A document above 512 KB is refused with 413.',
  },
  {
    id: 'RT-4.3-1414',
    section: '4.3',
    text: '`PUT /svc/api/projects/{id}/imported-documents/{documentId}` replaces the text of an uploaded document.',
  },
  {
    id: 'RT-4.3-1415',
    section: '4.3',
    text: '`DELETE /svc/api/projects/{id}/imported-documents/{documentId}` deletes an uploaded document and its stored text.',
  },
  {
    id: 'RT-4.3-1416',
    section: '4.3',
    text: 'A document from an import is neither replaced nor deleted by a request: both are refused with 409.',
  },
  {
    id: 'RT-4.3-1417',
    section: '4.3',
    text: '`POST /svc/api/projects/{id}/document-import` imports the folders of a project immediately and leaves uploaded documents as they are.',
  },
  {
    id: 'RT-4.3-1418',
    section: '4.3',
    text: 'Each upload, replacement and deletion of a document, and each import by a user that changes documents, is a security event.',
  },
  {
    id: 'RT-4.3-1419',
    section: '4.3',
    text: 'The MCP tool `search` finds the documents of a project by their text, and `get_documentation` returns the text.',
  },
  {
    id: 'RT-4.3-1463',
    section: '4.3',
    text: 'An older reading of a source of documents does not replace a newer reading, also not of another process.',
  },
  {
    id: 'RT-4.3-1464',
    section: '4.3',
    text: 'A source without changed documents has no entry in the security event of an import.',
  },
  {
    id: 'RT-4.3-1472',
    section: '4.3',
    text: 'The response of an import whose reading of a source is older than a stored reading states this.',
  },
  {
    id: 'RT-4.3-1473',
    section: '4.3',
    text: 'An import does not archive the documents of a source that another process has read since the import began.',
  },
] as const satisfies readonly RequirementEntry[];
