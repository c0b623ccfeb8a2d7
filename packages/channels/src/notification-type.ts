/** The kinds of recipient (spec 3 section 2.1). */
export const notificationTypes = ['Email', 'ChatBlocks', 'ChatCards', 'IssueTracker', 'Webhook'] as const;

export type NotificationType = (typeof notificationTypes)[number];

/** Returns true if the text is exactly a kind of recipient. */
export function isNotificationType(text: unknown): text is NotificationType {
  return notificationTypes.some((type) => type === text);
}
