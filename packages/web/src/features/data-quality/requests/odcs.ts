import { exportDataContract } from '@svc/contract';
import { callRaw } from '../../../lib/call.ts';
import { saveFile } from '../../../lib/save-file.ts';

/** Saves a data contract as an ODCS document in the browser. */
export async function downloadOdcs(id: number, name: string): Promise<void> {
  await saveFile(await callRaw(exportDataContract, { params: { id } }), `${name}.yaml`, () => undefined);
}
