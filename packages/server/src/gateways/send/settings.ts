import { isNotificationType, type NotificationType, notificationTypes } from '@svc/channels';
import type { Config } from '../../platform/config/index.ts';

/** Settings of `Svc:Notifications` that apply to deliveries. */
export type SendSettings = {
  /** `DeliveryTimeoutSeconds`: for one delivery with all its requests. */
  readonly deliveryTimeoutMs: number;
  /** `RequireEncryptedSecrets`: recipients with unencrypted secrets get no deliveries. */
  readonly requireEncryptedSecrets: boolean;
  /** `AllowedHeaders`: names of custom headers in addition to the four that are always allowed. */
  readonly allowedHeaders: readonly string[];
  /** `AllowedHosts:{Type}`. */
  readonly allowedHosts: Readonly<Record<NotificationType, readonly string[]>>;
  /** `AllowedPrivateNetworks:{Type}`. Email has none, because the host sends it. */
  readonly allowedPrivateNetworks: Readonly<Record<Exclude<NotificationType, 'Email'>, readonly string[]>>;
  /** `DisabledTypes`. */
  readonly disabledTypes: ReadonlySet<NotificationType>;
  /** `UseSystemProxy`. */
  readonly useSystemProxy: boolean;
};

function readDisabledTypes(names: readonly string[]): Set<NotificationType> {
  return new Set(
    names.map((name) => {
      const type = notificationTypes.find(
        (candidate) => candidate.toLowerCase() === name.trim().toLowerCase(),
      );
      if (!isNotificationType(type))
        throw new RangeError(
          `Svc:Notifications:DisabledTypes: "${name}" is no channel. There are: ${notificationTypes.join(', ')}.`,
        );
      return type;
    }),
  );
}

/**
 * Extracts the settings of deliveries from the configuration.
 *
 * @throws RangeError with the name of the setting if `DisabledTypes` contains an unknown channel.
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
