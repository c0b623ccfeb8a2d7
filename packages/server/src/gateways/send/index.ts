/**
 * The send gateway: the single path of every delivery (DESIGN 5.7, spec 3 sections 5.4 and 5.6). The caller passes the
 * storage in. Connections use the outbound gateway.
 */
export type { AttemptDeps } from './attempt.ts';
export {
  createSend,
  type Dispatch,
  type DispatchResult,
  type Send,
  type SendOptions,
} from './create-send.ts';
export {
  approvedHashOf,
  type DefinitionFingerprints,
  fingerprintsOf,
  type RecipientDefinition,
  verifyApprovedHash,
} from './definition.ts';
export {
  createDestinationRules,
  type DestinationRules,
  type DraftCheck,
  type DraftField,
  type RecipientDraft,
} from './destination-rules.ts';
export { measuredAttempts } from './measured-attempts.ts';
export {
  type AttemptEnd,
  type AttemptStart,
  type DeliveryKey,
  type DeliveryReason,
  type DirectTarget,
  deliveryIdOf,
  type Ledger,
  type MessageKey,
  messageWordOf,
  type RecipientApproval,
  type RecipientRow,
  type Recipients,
  type RunKey,
  remedyOfReason,
  type SkipReason,
  skipTexts,
  textOfNote,
  textOfReason,
  type UnknownReason,
  unknownTexts,
} from './ports.ts';
export { readSendSettings, type SendSettings } from './settings.ts';
export {
  type OpenedRecipient,
  openRecipient,
  openSigningSecrets,
  recipientSecretLocation,
  type StoredSecrets,
  sealRecipient,
  sealSigningSecrets,
} from './stored-recipient.ts';
