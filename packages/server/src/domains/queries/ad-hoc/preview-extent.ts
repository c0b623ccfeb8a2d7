import { pageRequest } from '../../../platform/http/index.ts';
import { type PreviewExtent, wholePreview } from './preview.ts';

export type { PreviewExtent };

/** Returns the rows that a preview requests. */
export const previewExtentOf = (query: {
  readonly page?: string;
  readonly pageSize?: string;
  readonly extent?: 'Page' | 'Whole';
}): PreviewExtent =>
  query.extent === 'Whole'
    ? wholePreview
    : pageRequest(query, { sortable: { id: 'id' }, byDefault: 'id', unique: 'id' });
