/** The kinds of recipient (spec 3 section 2.1). */
export const notificationTypes = ['Email', 'ChatBlocks', 'ChatCards', 'IssueTracker', 'Webhook'] as const;

/** One kind of recipient. */
export type NotificationType = (typeof notificationTypes)[number];

/** Whether a text names a kind of recipient, exactly. */
export function isNotificationType(text: unknown): text is NotificationType {
  return notificationTypes.some((type) => type === text);
}
