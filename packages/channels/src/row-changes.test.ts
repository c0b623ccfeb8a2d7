import { expect, test } from 'vitest';
import { channels, type NotificationType } from './index.ts';
import type { MessageRowChanges } from './message/message.ts';
import { testMessage } from './testing/message.ts';

const forPeople = ['Email', 'ChatBlocks', 'ChatCards', 'IssueTracker'] as const satisfies NotificationType[];
const sentences: readonly (readonly [MessageRowChanges, string])[] = [
  [{ new: 2 }, '2 new rows.'],
  [{ new: 1, changed: 0 }, '1 new row.'],
  [{ new: 0, changed: 3 }, '3 rows changed.'],
  [{ new: 2, changed: 1, vanished: 3 }, '2 new rows, 1 changed, 3 gone.'],
  [{ vanished: 1 }, '1 row gone.'],
];

test.each(forPeople)(
  '%s states how many rows changed, and omits the sentence without a comparison',
  (type) => {
    for (const [rowChanges, sentence] of sentences) {
      expect(channels[type].preview({ message: testMessage({ rowChanges }) }).body).toContain(sentence);
      expect(channels[type].preview({ message: testMessage() }).body).not.toContain(sentence);
    }
  },
);

test('a webhook body contains the numbers of changed rows only if rows are compared', () => {
  const bodyOf = (message: ReturnType<typeof testMessage>) =>
    JSON.parse(channels.Webhook.preview({ message }).body);
  expect(bodyOf(testMessage({ rowChanges: { new: 2, vanished: 0 } })).rowChanges).toEqual({
    new: 2,
    vanished: 0,
  });
  expect(bodyOf(testMessage())).not.toHaveProperty('rowChanges');
});
