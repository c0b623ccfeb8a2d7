import { type documentationFormats, exportDocumentation, getDocumentation } from '@svc/contract';
import { queryOptions } from '@tanstack/react-query';
import { callRaw } from '../../../lib/call.ts';
import { saveFile } from '../../../lib/save-file.ts';
import { read } from '../../../lib/server-state.ts';

/** While a generation is under way it is looked how far it is. */
const lookAgainMs = 1_000;

/** The documentation of a project. */
export const documentation = (id: number) =>
  queryOptions({
    ...read(getDocumentation, { params: { id } }),
    refetchInterval: ({ state }) => (state.data?.generation?.finishedAt === null ? lookAgainMs : false),
  });

/** Hands the documentation to the browser as a file. */
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
