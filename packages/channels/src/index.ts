export { type NotificationType, notificationTypes } from '@svc/contract';
/**
 * Delivery channels behind one port. A channel formats a neutral message. It sends the message through the `request`
 * function or the email adapter of its context; no channel opens a connection (DESIGN section 4).
 */

export type {
  Channel,
  ChannelAnswer,
  ChannelContext,
  ChannelRequest,
  Delivery,
  Email,
  EmailAdapter,
  EmailAttachment,
  Preview,
  SendRequest,
} from './channel.ts';
export { channels } from './channels.ts';
export { chatBlocksBody, chatBlocksChannel } from './chat-blocks/index.ts';
export { chatCardsBody, chatCardsChannel } from './chat-cards/index.ts';
export {
  type CustomHeaders,
  type CustomHeadersResult,
  customHeadersMax,
  type HeaderRefusal,
  headerRefusalTexts,
  headerValueCharactersMax,
  isNeverAllowedHeader,
  parseCustomHeaders,
} from './destination/custom-headers.ts';
export {
  connectionUrlOf,
  type Destination,
  hasSameTarget,
  maskDestination,
  parseDestination,
  reviewParts,
} from './destination/destination.ts';
export {
  editCustomHeaders,
  editDestination,
  maskCustomHeaders,
  type StoredRecipient,
} from './destination/edit.ts';
export { mask, type Parsed, type ReviewPart } from './destination/mask.ts';
export { builtInHosts } from './destination/vendor-facts.ts';
export { isDomainAllowed } from './email/address.ts';
export { encodeHtml, type NoticeText } from './email/html.ts';
export { emailChannel, emailOf, sendNotice } from './email/index.ts';
export { issueTrackerChannel } from './issue-tracker/index.ts';
export { cellToJson, cellToText, distinctColumns, type JsonValue, rowsToRecords } from './message/cell.ts';
export type { CellKind, NumberFormat } from './message/exact-json.ts';
export { type Finding, type FindingCode, findingCodes, inspectPreview } from './message/findings.ts';
export {
  type Attachment,
  type Message,
  type MessageAnomaly,
  type MessageRowChanges,
  previewRowsMax,
  previewRowsOf,
  sourceName,
  titleOf,
} from './message/message.ts';
export {
  fillTemplate,
  isJson,
  type PlaceholderName,
  placeholderNames,
  reviewTemplate,
  type TemplateReview,
  templateCharactersMax,
  templateOutputCharactersMax,
} from './message/template.ts';
export { isNotificationType } from './notification-type.ts';
export {
  type DeliveryFigures,
  type DeliveryNote,
  type DeliveryOutcome,
  type FailureReason,
  failureOfStatus,
  failureRemedies,
  failureTexts,
  noteTexts,
  technicalTexts,
} from './outcome.ts';
export { webhookBody, webhookChannel } from './webhook/index.ts';
export {
  createSigningSecret,
  isSigningSecret,
  signingSecretsMax,
  type WebhookSigning,
  webhookIdOf,
} from './webhook/signature.ts';
