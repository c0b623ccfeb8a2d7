import { useQuery } from '@tanstack/react-query';
import { dataFiles } from '../../../requests/data-files.ts';

/** Returns the allowed folders for files of data sources, and a sentence that names them. */
export function useAllowedFolders(): { readonly folders: readonly string[]; readonly sentence: string } {
  const { data } = useQuery(dataFiles);
  const folders = data?.folders ?? [];
  const [only, ...others] = folders;
  if (only === undefined) return { folders, sentence: '' };
  const sentence =
    others.length === 0
      ? `Files lie in ${only} or in a folder below it.`
      : `Files lie in ${folders.join(' or ')}, or in a folder below one of them.`;
  return { folders, sentence };
}
