import type { RecordAcknowledgement } from '../../alerts/index.ts';
import { lockOpenTask } from '../action-store.ts';
import type { RecordTask } from '../record.ts';

/** Creates the function that adds acknowledgements to the timeline of the open task. It sends no notice. */
export const createRecordAcknowledgement =
  ({ record }: { readonly record: RecordTask }): RecordAcknowledgement =>
  async (tx, subject, by, change) => {
    const task = await lockOpenTask(tx, subject);
    if (!task) return;
    await record(tx, {
      task,
      by,
      content: change?.note ?? null,
      event: change ? 'Acknowledged' : 'AcknowledgementWithdrawn',
    });
  };
