import { expect, test } from 'vitest';
import { channels, type NotificationType } from './index.ts';
import { type MessageAlert, sourceName } from './message/message.ts';
import { testMessage } from './testing/message.ts';

const since = '2026-03-01T08:15:00.000Z';
const sentences: readonly (readonly [NonNullable<MessageAlert['news']>, string])[] = [
  ['Opened', 'Opened: there are rows now.'],
  ['StillFiring', 'Reminder: there have been rows since 2026-03-01 08:15 UTC.'],
  ['Recovered', 'Recovered: there are no rows any more.'],
];
const forPeople = ['Email', 'ChatBlocks', 'ChatCards', 'IssueTracker'] as const satisfies NotificationType[];

const bodyOf = (type: NotificationType, alert?: MessageAlert): string =>
  channels[type].preview({ message: testMessage(alert && { alert }) }).body;

test.each(forPeople)(
  '%s describes the change of an alert, and omits the sentence without a change',
  (type) => {
    for (const [news, sentence] of sentences) {
      expect(bodyOf(type, { state: 'Firing', since, news })).toContain(sentence);
      expect(bodyOf(type, { state: 'Firing', since })).not.toContain(sentence);
      expect(bodyOf(type)).not.toContain(sentence);
    }
  },
);

test('the plain text of an email describes the change of an alert, too', () => {
  const message = testMessage({ alert: { state: 'Ok', since, news: 'Recovered' } });
  expect(channels.Email.preview({ message }).text).toContain('Recovered: there are no rows any more.');
});

test('a webhook body contains the state and time of an alert, and no sentence', () => {
  const body = JSON.parse(bodyOf('Webhook', { state: 'Firing', since, news: 'Opened' }));
  expect(body).toMatchObject({ source: sourceName, alert: { state: 'Firing', since } });
  expect(Object.keys(body.alert)).toEqual(['state', 'since']);
  expect(JSON.parse(bodyOf('Webhook'))).not.toHaveProperty('alert');
});
