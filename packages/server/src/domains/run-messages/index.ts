export { attachmentHead } from './attachment.ts';
export { type FoundResult, findResult } from './found-result.ts';
export { AttachmentTooLarge, createFrozenMessages, type FrozenMessages } from './frozen-messages.ts';
export { type MessageFacts, messageOf, notificationUrl, withoutRows } from './message.ts';
export {
  type OwnMessage,
  ownFileNo,
  ownMessages,
  ownRowMessages,
  perRowKept,
  perRowMessages,
  restNo,
  saveOwnMessages,
} from './own-messages.ts';
export { findOwnResults, type OwnResult, type RoutedResult } from './own-results.ts';
export { type CollectedResult, collect } from './result.ts';
export { dropOldMessages, sealedMessageOf } from './store.ts';
