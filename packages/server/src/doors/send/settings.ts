import { isNotificationType, type NotificationType, notificationTypes } from '@svc/channels';
import type { Config } from '../../platform/config/index.ts';

/** The part of `Svc:Notifications` that decides about deliveries. */
export type SendSettings = {
  /** `DeliveryTimeoutSeconds`: for one delivery, all of its requests together. */
  readonly deliveryTimeoutMs: number;
  /** `RequireEncryptedSecrets`: recipients kept from before encryption are not delivered to. */
  readonly requireEncryptedSecrets: boolean;
  /** `AllowedHeaders`: names of custom headers beside the four that are always allowed. */
  readonly allowedHeaders: readonly string[];
  /** `AllowedHosts:{Type}`. */
  readonly allowedHosts: Readonly<Record<NotificationType, readonly string[]>>;
  /** `AllowedPrivateNetworks:{Type}`; email has none, since the host sends it. */
  readonly allowedPrivateNetworks: Readonly<Record<Exclude<NotificationType, 'Email'>, readonly string[]>>;
  /** `DisabledTypes`. */
  readonly disabledTypes: ReadonlySet<NotificationType>;
  /** `UseSystemProxy`. */
  readonly useSystemProxy: boolean;
};

function readDisabledTypes(names: readonly string[]): Set<NotificationType> {
  return new Set(
    names.map((name) => {
      const type = notificationTypes.find((known) => known.toLowerCase() === name.trim().toLowerCase());
      if (!isNotificationType(type))
        throw new RangeError(
          `Svc:Notifications:DisabledTypes: "${name}" is no channel. There are: ${notificationTypes.join(', ')}.`,
        );
      return type;
    }),
  );
}

/**
 * Takes the settings of deliveries out of all settings.
 *
 * @throws RangeError that names the setting when `DisabledTypes` names no channel.
 */
export function readSendSettings(config: Config): SendSettings {
  return {
    deliveryTimeoutMs: config['Svc:Notifications:DeliveryTimeoutSeconds'] * 1_000,
    requireEncryptedSecrets: config['Svc:Notifications:RequireEncryptedSecrets'],
    allowedHeaders: config['Svc:Notifications:AllowedHeaders'],
    allowedHosts: {
      Email: config['Svc:Notifications:AllowedHosts:Email'],
      ChatBlocks: config['Svc:Notifications:AllowedHosts:ChatBlocks'],
      ChatCards: config['Svc:Notifications:AllowedHosts:ChatCards'],
      IssueTracker: config['Svc:Notifications:AllowedHosts:IssueTracker'],
      Webhook: config['Svc:Notifications:AllowedHosts:Webhook'],
    },
    allowedPrivateNetworks: {
      ChatBlocks: config['Svc:Notifications:AllowedPrivateNetworks:ChatBlocks'],
      ChatCards: config['Svc:Notifications:AllowedPrivateNetworks:ChatCards'],
      IssueTracker: config['Svc:Notifications:AllowedPrivateNetworks:IssueTracker'],
      Webhook: config['Svc:Notifications:AllowedPrivateNetworks:Webhook'],
    },
    disabledTypes: readDisabledTypes(config['Svc:Notifications:DisabledTypes']),
    useSystemProxy: config['Svc:Notifications:UseSystemProxy'],
  };
}
