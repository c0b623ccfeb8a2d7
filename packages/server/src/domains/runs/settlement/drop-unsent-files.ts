import type { RunKey } from '../../../gateways/send/index.ts';
import type { FrozenMessages } from '../../run-messages/index.ts';
import { messageForAll } from '../send-messages.ts';
import type { Settlement } from './settlement.ts';

/** Deletes the files of messages that are not sent. */
export async function dropUnsentFiles(
  messages: Pick<FrozenMessages, 'dropFile' | 'dropFiles'>,
  run: RunKey,
  unsentFiles: Settlement['unsentFiles'],
): Promise<void> {
  if (unsentFiles === 'All') return messages.dropFiles(run);
  for (const messageNo of unsentFiles) await messages.dropFile({ ...messageForAll(run), messageNo });
}
