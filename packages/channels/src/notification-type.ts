import { type NotificationType, notificationTypes } from '@svc/contract';

/** Returns true if the text is exactly a kind of recipient. */
export function isNotificationType(text: unknown): text is NotificationType {
  return notificationTypes.some((type) => type === text);
}
