import { exportAudit, type QueryOf } from '@svc/contract';
import { callRaw } from '../../../lib/call.ts';
import { saveFile } from '../../../lib/save-file.ts';

/** Hands the events to the browser as a CSV file. Aborting stops the service's reading. */
export async function downloadAudit(
  query: QueryOf<typeof exportAudit>,
  signal: AbortSignal,
  onBytes: (bytes: number) => void,
): Promise<void> {
  const answer = await callRaw(exportAudit, { query }, { signal });
  await saveFile(answer, `audit ${query.to?.slice(0, 10) ?? ''}.csv`, onBytes);
}
