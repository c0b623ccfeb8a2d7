import { type documentationFormats, exportDocumentation, getDocumentation } from '@svc/contract';
import { callRaw } from '../../../lib/call.ts';
import { saveFile } from '../../../lib/save-file.ts';
import { read } from '../../../lib/server-state.ts';

/** The documentation of a project. */
export const documentation = (id: number) => read(getDocumentation, { params: { id } });

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
