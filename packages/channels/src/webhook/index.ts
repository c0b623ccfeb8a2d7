import { rowsToRecords } from '../cell.ts';
import type { Channel, Delivery, Preview } from '../channel.ts';
import type { NumberFormat } from '../exact-json.ts';
import { flaggedAnomalyOf, type Message, previewRowsOf, sourceName } from '../message.ts';
import { jsonHeaders, outcomeOf } from '../post-json.ts';
import { fillTemplate } from '../template.ts';
import { signatureHeaders } from './signature.ts';

/** Bodies of messages that are being sent: the many recipients of a run get the same one. */
const bodies: Readonly<Record<NumberFormat, WeakMap<Message, string>>> = {
  Text: new WeakMap(),
  Number: new WeakMap(),
};

/**
 * The default body (spec 3 section 2.2). Fields without a value are left out by the serializer. The form of numbers applies
 * to `records` alone: the other members have the types of the spec.
 */
export function webhookBody(message: Message, numbers: NumberFormat = 'Text'): string {
  let body = bodies[numbers].get(message);
  if (body === undefined) {
    body = makeBody(message, numbers);
    bodies[numbers].set(message, body);
  }
  return body;
}

function makeBody(message: Message, numbers: NumberFormat): string {
  const anomaly = flaggedAnomalyOf(message);
  return JSON.stringify({
    timestamp: message.timestamp.toISOString(),
    source: sourceName,
    subscriptionName: message.subscriptionName,
    subscriptionId: message.subscriptionId,
    dataSourceName: message.dataSourceName,
    sqlQuery: message.queryText,
    totalRecords: message.totalRows,
    executionTimeMs: message.executionTimeMs,
    previousResultCount: message.previousCount,
    timedOut: message.timedOut,
    records: rowsToRecords(message.columns, previewRowsOf(message), {
      kinds: message.columnKinds,
      numbers,
    }),
    anomaly: anomaly && {
      isAnomaly: anomaly.isAnomaly,
      severity: anomaly.severity,
      explanation: anomaly.explanation,
    },
    alert: message.alert && { state: message.alert.state, since: message.alert.since },
    rowChanges: message.rowChanges,
    notificationUrl: message.notificationUrl,
  });
}

function preview({
  message,
  bodyTemplate,
  numbers,
}: Pick<Delivery, 'message' | 'bodyTemplate' | 'numbers'>): Preview {
  const filled = bodyTemplate ? fillTemplate(bodyTemplate, message, numbers) : undefined;
  return {
    contentType: 'application/json',
    body: filled ?? webhookBody(message, numbers),
    isDefault: filled === undefined,
  };
}

/**
 * Any HTTPS endpoint: a JSON POST. A processed template is sent as it is, JSON or not (SECURITY R10); the author
 * was told when it was saved.
 */
export const webhookChannel: Channel = {
  type: 'Webhook',
  preview,
  deliver: async (delivery, { request }) => {
    const { body, isDefault } = preview(delivery);
    const answer = await request({
      url: delivery.destination,
      method: 'POST',
      headers: {
        ...delivery.customHeaders,
        ...jsonHeaders,
        ...(delivery.signing ? signatureHeaders(delivery.signing, body) : {}),
      },
      body,
    });
    return outcomeOf(answer, delivery.bodyTemplate && isDefault ? ['TemplateNotUsed'] : []);
  },
};
