import { isIP } from 'node:net';
import {
  type Config,
  createOutbound,
  type EmailAdapter,
  mailServerPolicy,
  readTrustedCertificates,
} from '@svc/server';
import { createSmtpAdapter, type DialMail, type SmtpSettings } from './smtp-adapter.ts';

/** The host's way to send email, and what lets go of it. */
export type Mail = { readonly adapter: EmailAdapter; readonly close: () => Promise<void> };

/**
 * Makes the email adapter of `Svc:Host:Smtp`; undefined when no mail server is configured. Connections leave through
 * the service's outbound door: no metadata address is reached, and only a checked address is dialled.
 *
 * @throws Error that names the setting when they do not fit together.
 */
export function startMail(config: Config): Mail | undefined {
  const settings = readSmtpSettings(config);
  if (!settings) return undefined;
  const { dial, close } = dialMail();
  return { adapter: createSmtpAdapter(settings, dial), close };
}

/** The way to a mail server, through an outbound door of its own. */
export function dialMail(): { readonly dial: DialMail; readonly close: () => Promise<void> } {
  const outbound = createOutbound();
  const policy = mailServerPolicy();
  return {
    dial: (target, { signal }) => outbound.dialSocket(target, { signal, policy }),
    close: outbound.close,
  };
}

/** @throws Error that names the setting of `Svc:Host:Smtp` when they do not fit together. */
export function checkMail(config: Config): void {
  readSmtpSettings(config);
}

/** @throws Error that names the setting of `Svc:Host:Smtp` when they do not fit together. */
export function readSmtpSettings(config: Config): SmtpSettings | undefined {
  const host = config['Svc:Host:Smtp:Host'];
  if (host === undefined) return undefined;
  const from = config['Svc:Host:Smtp:From'];
  if (from === undefined) throw new Error('Svc:Host:Smtp:From must be set when Svc:Host:Smtp:Host is.');
  const user = config['Svc:Host:Smtp:UserName'];
  const password = config['Svc:Host:Smtp:Password'];
  if ((user === undefined) !== (password === undefined))
    throw new Error('Svc:Host:Smtp:UserName and Svc:Host:Smtp:Password must be set together.');
  const security = config['Svc:Host:Smtp:Security'] as SmtpSettings['security'];
  if (security === 'None' && user !== undefined && !isLoopback(host))
    throw new Error(
      'Svc:Host:Smtp:Security must not be None with a password: it would cross the network in the clear.',
    );
  return {
    host,
    port: config['Svc:Host:Smtp:Port'],
    security,
    login: user !== undefined && password !== undefined ? { user, password } : undefined,
    from,
    trustedCertificates: readTrustedCertificates(config['Svc:Notifications:TrustedCertificates']),
  };
}

const isLoopback = (host: string): boolean =>
  host === 'localhost' || host === '::1' || (isIP(host) === 4 && host.startsWith('127.'));
