import { type DocumentImport, documentBytesMax, documentsMax, type LeftOutReason } from '@svc/contract';
import { count, plural, size } from '../../../lib/format.ts';

type Source = DocumentImport['sources'][number];

const reasons: Readonly<Record<LeftOutReason, string>> = {
  'too-large': `larger than ${size(documentBytesMax)}`,
  'not-utf-8': 'not a text in UTF-8',
  'bad-path': 'its path is not allowed',
  'too-many': `the source has more than ${plural(documentsMax, 'document')}`,
  unreadable: 'could not be read',
  twice: 'its path occurs twice',
};

/** Describes a document that an import skipped: "a.md (larger than 512 KB)". */
export const leftOutInWords = ({ path, reason }: Source['leftOut'][number]): string =>
  `${path} (${reasons[reason]})`;

/** Describes the result of one source of an import, with the documents that it skipped. */
export function importInWords({ source, ...result }: Source): string {
  const { isRead, isSuperseded, imported, archived, leftOut, leftOutCount } = result;
  const name = source === 'settings' ? 'Folder of the settings' : source;
  if (!isRead) return `${name}: could not be read. Its documents stay as they are.`;
  if (isSuperseded)
    return `${name}: a newer import was stored first. Its documents are those of the newer import.`;
  const counts = `${plural(imported, 'document')} imported, ${count(archived)} removed, ${count(leftOutCount)} left out.`;
  if (leftOut.length === 0) return `${name}: ${counts}`;
  const more = leftOutCount > leftOut.length ? ` and ${count(leftOutCount - leftOut.length)} more` : '';
  return `${name}: ${counts} Left out: ${leftOut.map(leftOutInWords).join(', ')}${more}.`;
}
