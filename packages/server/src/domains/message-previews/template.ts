import { channels, inspectPreview, type Message, type NotificationType } from '@svc/channels';
import type { TemplatePreview } from '@svc/contract';

/** A made-up result with every part that a message can have, so that each placeholder shows something. */
const sample: Message = {
  subscriptionName: 'Late orders',
  subscriptionId: 1,
  dataSourceName: 'Shop',
  queryText: "select id, customer, total from orders where state = 'late'",
  totalRows: 42,
  columns: ['id', 'customer', 'total'],
  rows: [
    [1001, 'Ada "the first" Example', 10.5],
    [1002, 'Bob\nExample', null],
  ],
  executionTimeMs: 123.456,
  previousCount: 40,
  timedOut: false,
  anomaly: { isAnomaly: true, severity: 'High', explanation: 'Three times the usual count.' },
  notificationUrl: 'https://svc.example.org/svc/notifications/1',
  timestamp: new Date('2026-01-02T03:04:05.678Z'),
};

/** What a body template gives for the sample, with what to know about it. Values hold quotes and line ends on purpose. */
export function previewTemplate(type: NotificationType, bodyTemplate: string | null): TemplatePreview {
  const template = bodyTemplate || undefined;
  const preview = channels[type].preview({
    message: sample,
    ...(template !== undefined && { bodyTemplate: template }),
  });
  return {
    notificationType: type,
    contentType: preview.contentType,
    subject: preview.subject ?? null,
    text: preview.text ?? null,
    body: preview.body,
    bytes: Buffer.byteLength(preview.body),
    isDefault: preview.isDefault,
    findings: inspectPreview(type, sample, preview, template),
  };
}
