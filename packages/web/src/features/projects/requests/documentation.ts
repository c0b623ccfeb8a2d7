import {
  type documentationFormats,
  exportDocumentation,
  getDocumentation,
  getDocumentationVersion,
  type ListQuery,
  listDocumentationVersions,
} from '@svc/contract';
import { queryOptions } from '@tanstack/react-query';
import { callRaw } from '../../../lib/call.ts';
import { saveFile } from '../../../lib/save-file.ts';
import { read } from '../../../lib/server-state.ts';

/** Poll interval while a generation is in progress. */
const lookAgainMs = 1_000;

/** Documentation of a project. */
export const documentation = (id: number) =>
  queryOptions({
    ...read(getDocumentation, { params: { id } }),
    refetchInterval: ({ state }) => (state.data?.generation?.finishedAt === null ? lookAgainMs : false),
  });

/** Changes of each version of the documentation, newest first. */
export const documentationVersions = (id: number, query: ListQuery) =>
  read(listDocumentationVersions, { params: { id }, query });

/** Sections that a version changed, before and after. */
export const documentationVersion = (id: number, number: number) =>
  read(getDocumentationVersion, { params: { id, number } });

/** Saves the documentation as a file in the browser. */
export async function downloadDocumentation(
  {
    id,
    format,
    name,
  }: { readonly id: number; readonly format: (typeof documentationFormats)[number]; readonly name: string },
  signal: AbortSignal,
  onBytes: (bytes: number) => void,
): Promise<void> {
  const answer = await callRaw(exportDocumentation, { params: { id }, query: { format } }, { signal });
  await saveFile(answer, `${name}.${format === 'Html' ? 'html' : 'md'}`, onBytes);
}
