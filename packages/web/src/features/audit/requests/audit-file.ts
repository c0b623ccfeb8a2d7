import { exportAudit, type QueryOf } from '@svc/contract';
import { callRaw } from '../../../lib/call.ts';
import { saveFile } from '../../../lib/save-file.ts';

/** Saves the events as a CSV file in the browser. An abort also stops the query of the service. */
export async function downloadAudit(
  query: QueryOf<typeof exportAudit>,
  signal: AbortSignal,
  onBytes: (bytes: number) => void,
): Promise<void> {
  const answer = await callRaw(exportAudit, { query }, { signal });
  await saveFile(answer, `audit ${query.to?.slice(0, 10) ?? ''}.csv`, onBytes);
}
