import { exportDataContract } from '@svc/contract';
import { callRaw } from '../../../lib/call.ts';
import { saveFile } from '../../../lib/save-file.ts';

/** Hands a data contract to the browser as an ODCS document. */
export async function downloadOdcs(id: number, name: string): Promise<void> {
  await saveFile(await callRaw(exportDataContract, { params: { id } }), `${name}.yaml`, () => undefined);
}
