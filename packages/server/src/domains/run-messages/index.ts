export { attachmentHead } from './attachment.ts';
export { AttachmentTooLarge, createFrozenMessages, type FrozenMessages } from './frozen-messages.ts';
export { type MessageFacts, messageOf, notificationUrl, withoutRows } from './message.ts';
export {
  type OwnMessage,
  ownFileNo,
  ownRowMessages,
  perRowCollectedMax,
  perRowMessages,
  readOwnMessages,
  restNo,
  saveOwnMessages,
} from './own-messages.ts';
export { type OwnResult, type RoutedResult, readOwnResults } from './own-results.ts';
export { type ResultContent, readResult } from './read-result.ts';
export { type CollectedResult, collect } from './result.ts';
export { dropOldMessages, sealedMessageOf } from './store.ts';
