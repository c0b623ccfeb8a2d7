import { runNow } from '@svc/testkit/runs/subscribe.ts';
import { expect } from 'vitest';
import { startIssueTracker } from '../support/hosts/issue-tracker.ts';
import { scenario } from '../support/scenario.ts';
import { sendOnce } from '../support/send-once.ts';

scenario(
  [
    'DL-0-01',
    'DL-0-02',
    'DL-2.1-12',
    'DL-2.1-14',
    'DL-5.1-11',
    'DL-5.1-12',
    'DL-5.1-13',
    'DL-5.1-27',
    'DL-5.1-28',
    'DL-5.1-29',
    'DL-5.1-30',
  ],
  'the tracker receives an issue with its content also as a comment, and later runs add comments',
  async ({ deliver, onEnd }) => {
    const tracker = await startIssueTracker();
    onEnd(tracker.close);
    const fixture = await deliver(tracker.settings);
    const query = await fixture.addQuery("select 7 as number, 'late' as state", 'Late orders');
    const sent = await sendOnce(
      fixture,
      query,
      { showQuery: true, includeAttachment: true, attachmentFormat: 'Csv' },
      { notificationType: 'IssueTracker', destination: tracker.destination },
    );
    expect(sent.run.status).toBe('Sent');
    expect(tracker.issues).toHaveLength(1);
    const [issue] = tracker.issues;
    expect(issue?.fields).toMatchObject({
      project: { key: 'OPS' },
      issuetype: { name: 'Task' },
      summary: 'SVC: Late orders',
      labels: ['Svc'],
      priority: { name: 'Medium' },
    });
    const description = JSON.stringify(issue?.fields['description']);
    for (const part of ['"type":"table"', 'number', '"7"', 'late', 'select 7 as number', '1'])
      expect(description).toContain(part);
    expect(issue?.comments).toEqual([issue?.fields['description']]);
    expect(sent.run.comment).toContain('no attachment');
    const warned = fixture.svc.log.filter(({ level, msg }) => level === 40 && /attachment/.test(msg));
    expect(warned).toHaveLength(1);
    expect(JSON.stringify(warned)).not.toContain('tracker-token');

    expect((await runNow(fixture.root, sent.subscriptionId)).status).toBe('Sent');
    expect(tracker.issues).toHaveLength(1);
    expect(issue?.comments).toHaveLength(2);
    tracker.issues.length = 0;
    expect((await runNow(fixture.root, sent.subscriptionId)).status).toBe('Sent');
    expect(tracker.issues).toHaveLength(1);
  },
);

scenario(
  ['DL-5.4-05', 'DL-5.4-11'],
  'an on-premises tracker works only if both its host and its network are allowed',
  async ({ deliver, onEnd }) => {
    const tracker = await startIssueTracker();
    onEnd(tracker.close);
    const saved = async (without: string) => {
      const fixture = await deliver({ ...tracker.settings, [without]: [] });
      return fixture.root.post('/svc/api/recipients', {
        name: 'Ours',
        notificationType: 'IssueTracker',
        destination: tracker.destination,
      });
    };
    for (const setting of [
      'Svc:Notifications:AllowedHosts:IssueTracker',
      'Svc:Notifications:AllowedPrivateNetworks:IssueTracker',
    ]) {
      const answer = await saved(setting);
      expect([setting, answer.status]).toEqual([setting, 400]);
    }
    const both = await saved('Svc:Notifications:AllowedHosts:Email');
    expect(both.status).toBe(201);
  },
);
