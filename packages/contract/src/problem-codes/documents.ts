import type { ProblemTable } from './problem-table.ts';

/** Codes of the documents of projects. */
export const documentsProblems = {
  'document-name-refused': {
    status: 400,
    title: 'Document name refused',
    means:
      'The name of an uploaded document must have no folder and must end with an extension of Markdown, text or HTML.',
    next: 'Rename the file to letters, digits, spaces, dots, dashes, underscores and brackets, such as orders.md.',
    operations: ['uploadImportedDocument'],
  },
  'document-content-refused': {
    status: 400,
    title: 'Document content refused',
    means: 'The content is empty, or it is not Markdown, text or HTML in UTF-8.',
    next: 'Save the document as Markdown, text or HTML in UTF-8, and upload that file.',
    operations: ['uploadImportedDocument', 'replaceImportedDocument'],
  },
  'document-exists': {
    status: 409,
    title: 'Document exists',
    means: 'The project already has an uploaded document with this name.',
    next: 'Replace that document, or upload the file under another name.',
    operations: ['uploadImportedDocument'],
  },
  'document-from-import': {
    status: 409,
    title: 'Document comes from an import',
    means: 'The document comes from an import of the operator. The next import would restore it.',
    next: 'Change or remove the file in its folder, then import the folder.',
    operations: ['replaceImportedDocument', 'deleteImportedDocument'],
  },
  'too-many-documents': {
    status: 409,
    title: 'Too many documents',
    means: 'The project has reached its maximum number of uploaded documents.',
    next: 'Remove documents that are no longer used, or join several into one.',
    operations: ['uploadImportedDocument'],
  },
  'no-document-source': {
    status: 409,
    title: 'No folder of documents',
    means: 'The operator has configured no folder of documents for this project.',
    next: 'Have the operator name a folder in Svc:Documents, or upload the documents.',
    operations: ['importDocumentsNow'],
  },
  'document-import-running': {
    status: 409,
    title: 'Import is running',
    means: 'An import of the documents of this project is running.',
    next: 'Try again when it has ended.',
    operations: ['importDocumentsNow'],
  },
} as const satisfies ProblemTable;
