import type { ImportedDocumentItem } from '@svc/contract';
import type { DocumentRow } from './store.ts';

export const presentDocument = ({ importedAt, ...row }: DocumentRow): ImportedDocumentItem => ({
  ...row,
  importedAt: importedAt.toISOString(),
});
