import type { Channel, Delivery, Preview } from '../channel.ts';
import { rowsToRecords } from '../message/cell.ts';
import type { NumberFormat } from '../message/exact-json.ts';
import { flaggedAnomalyOf, type Message, previewRowsOf, sourceName } from '../message/message.ts';
import { fillTemplate } from '../message/template.ts';
import { jsonHeaders, outcomeOf } from '../post-json.ts';
import { signatureHeaders } from './signature.ts';

/** Cache of default bodies: all recipients of a run get the same body. */
const bodies: Readonly<Record<NumberFormat, WeakMap<Message, string>>> = {
  Text: new WeakMap(),
  Number: new WeakMap(),
};

/**
 * Returns the default body (spec 3 section 2.2). The serializer omits members without a value. The form of numbers
 * applies only to `records`: the other members have the types of the spec.
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
 * Any HTTPS endpoint: a JSON POST. A filled template is sent unchanged, even if it is not JSON (SECURITY R10). The
 * author gets a warning when saving it.
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
