import { channels, inspectPreview, type Message, type NotificationType } from '@svc/channels';
import type { TemplatePreview } from '@svc/contract';

/** Sample result with every possible part of a message, so that each placeholder has a value. */
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

/**
 * Renders a body template with the sample and returns warnings. Sample values contain quotes and line ends, to reveal
 * missing escapes.
 */
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
