import type { NotificationType } from '@svc/contract';
import type { Channel } from './channel.ts';
import { chatBlocksChannel } from './chat-blocks/index.ts';
import { chatCardsChannel } from './chat-cards/index.ts';
import { emailChannel } from './email/index.ts';
import { issueTrackerChannel } from './issue-tracker/index.ts';
import { webhookChannel } from './webhook/index.ts';

export const channels: Readonly<Record<NotificationType, Channel>> = {
  Email: emailChannel,
  ChatBlocks: chatBlocksChannel,
  ChatCards: chatCardsChannel,
  IssueTracker: issueTrackerChannel,
  Webhook: webhookChannel,
};
