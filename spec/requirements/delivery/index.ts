import { naming } from './00-naming.ts';
import { delivery } from './01-delivery.ts';
import { recipient } from './02-resources/02-1-recipient.ts';
import { webhookBody } from './02-resources/02-2-webhook-body.ts';
import { customHeaders } from './02-resources/02-3-custom-headers.ts';
import { bodyTemplates } from './02-resources/02-4-body-templates.ts';
import { runRecord } from './02-resources/02-5-run-record.ts';
import { runStatuses } from './03-states/03-1-run-statuses.ts';
import { recipientApproval } from './03-states/03-2-recipient-approval.ts';
import { endpoints } from './04-endpoints.ts';
import { channels } from './05-delivery-rules/05-1-channels.ts';
import { attachments } from './05-delivery-rules/05-2-attachments.ts';
import { baseUrl } from './05-delivery-rules/05-3-base-url.ts';
import { destinationPolicy } from './05-delivery-rules/05-4-destination-policy.ts';
import { reviewersView } from './05-delivery-rules/05-5-reviewers-view.ts';
import { deliveryCheck } from './05-delivery-rules/05-6-delivery-check.ts';
import { runVisibility } from './05-delivery-rules/05-7-run-visibility.ts';
import { events } from './06-events.ts';
import { errors } from './07-errors.ts';
import { limits } from './08-limits.ts';
import { options } from './09-observability/09-1-options.ts';
import { recordedCalls } from './09-observability/09-2-recorded-calls.ts';
import { metrics } from './09-observability/09-3-metrics.ts';
import { buffering } from './09-observability/09-4-buffering.ts';
import { sinks } from './09-observability/09-5-sinks.ts';
import { dashboard } from './09-observability/09-6-dashboard.ts';
import { observability } from './09-observability/09-observability.ts';

/** Every requirement of the document about notification delivery and endpoint observability. */
export const deliveryRequirements = [
  ...naming,
  ...delivery,
  ...recipient,
  ...webhookBody,
  ...customHeaders,
  ...bodyTemplates,
  ...runRecord,
  ...runStatuses,
  ...recipientApproval,
  ...endpoints,
  ...channels,
  ...attachments,
  ...baseUrl,
  ...destinationPolicy,
  ...reviewersView,
  ...deliveryCheck,
  ...runVisibility,
  ...events,
  ...errors,
  ...limits,
  ...observability,
  ...options,
  ...recordedCalls,
  ...metrics,
  ...buffering,
  ...sinks,
  ...dashboard,
] as const;
