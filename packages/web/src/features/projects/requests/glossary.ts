import { exportGlossary, listGlossary, type QueryOf } from '@svc/contract';
import { callRaw } from '../../../lib/call.ts';
import { saveFile } from '../../../lib/save-file.ts';
import { read } from '../../../lib/server-state.ts';

export const terms = (projectId: number, query: QueryOf<typeof listGlossary>) =>
  read(listGlossary, { query: { ...query, projectId } });

/** Saves the glossary of a project as a file in the browser. */
export async function downloadGlossary(
  projectId: number,
  signal: AbortSignal,
  onBytes: (bytes: number) => void,
): Promise<void> {
  const answer = await callRaw(exportGlossary, { query: { projectId } }, { signal });
  await saveFile(answer, 'glossary.csv', onBytes);
}
