export { attachmentHead } from './attachment.ts';
export { type FoundResult, findResult } from './found-result.ts';
export { AttachmentTooLarge, createFrozenMessages, type FrozenMessages } from './frozen-messages.ts';
export { messageOf, notificationUrl } from './message.ts';
export {
  type OwnMessage,
  ownMessages,
  perRowKept,
  perRowMessages,
  restNo,
  saveOwnMessages,
} from './own-messages.ts';
export { type CollectedResult, collect } from './result.ts';
export { dropOldMessages, sealedMessageOf } from './store.ts';
