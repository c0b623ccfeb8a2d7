import { isIP, type Socket } from 'node:net';
import tls from 'node:tls';
import type { Email, EmailAdapter } from '@svc/server';
import { createTransport, type Transporter } from 'nodemailer';

/** The mail server that the adapter hands mails to. */
export type SmtpSettings = {
  readonly host: string;
  readonly port: number;
  /** `StartTls` demands the upgrade, `Tls` starts with it, `None` sends in the clear. */
  readonly security: 'StartTls' | 'Tls' | 'None';
  readonly login: { readonly user: string; readonly password: string } | undefined;
  /** Bare address of the sender. */
  readonly from: string;
  /** Authorities trusted beside the process's own, as PEM texts. */
  readonly trustedCertificates: readonly string[];
};

/** Opens the connection to the mail server: what decides which address may be reached is handed in. */
export type DialMail = (
  target: { readonly host: string; readonly port: number },
  options: { readonly signal: AbortSignal },
) => Promise<Socket>;

/** Longest silence of the mail server; the service's own deadline of a delivery usually comes first. */
const silenceMaxMs = 60_000;

/**
 * An email adapter that speaks SMTP: one connection for each mail, ended with the delivery's signal. It resolves to
 * the mail's message id once the server has accepted the mail, and rejects otherwise.
 */
export function createSmtpAdapter(settings: SmtpSettings, dial: DialMail): EmailAdapter {
  return (email, signal) =>
    withTransport(settings, dial, signal, async (transport) => {
      const sent = await transport.sendMail(mailOf(email, settings.from));
      return sent.messageId;
    });
}

/**
 * Greets the mail server as a delivery does, encryption and login included, and sends nothing.
 *
 * @throws Error of the door, of TLS or of the server, whose words may hold what it was sent.
 */
export const greetMailServer = (
  settings: SmtpSettings,
  dial: DialMail,
  signal: AbortSignal,
): Promise<unknown> => withTransport(settings, dial, signal, (transport) => transport.verify());

async function withTransport<T>(
  { host, port, security, login, trustedCertificates }: SmtpSettings,
  dial: DialMail,
  signal: AbortSignal,
  work: (transport: Transporter) => Promise<T>,
): Promise<T> {
  const ca =
    trustedCertificates.length === 0
      ? undefined
      : [...tls.getCACertificates('default'), ...trustedCertificates];
  const connection = await dial({ host, port }, { signal });
  const stop = () => connection.destroy(new Error('The delivery was stopped.'));
  signal.addEventListener('abort', stop, { once: true });
  const transport = createTransport({
    host,
    port,
    secure: security === 'Tls',
    requireTLS: security === 'StartTls',
    ignoreTLS: security === 'None',
    tls: { ...(isIP(host) === 0 && { servername: host }), ...(ca && { ca }) },
    ...(login && { auth: { user: login.user, pass: login.password } }),
    greetingTimeout: silenceMaxMs,
    socketTimeout: silenceMaxMs,
    getSocket: (_options, callback) => callback(null, { connection }),
    // Mails hold what they are given, never files or addresses that a text could name.
    disableFileAccess: true,
    disableUrlAccess: true,
  });
  try {
    signal.throwIfAborted();
    return await work(transport);
  } finally {
    signal.removeEventListener('abort', stop);
    transport.close();
    connection.destroy();
  }
}

function mailOf({ to, subject, html, text, attachment, messageId }: Email, from: string) {
  return {
    ...(messageId !== undefined && { messageId: `<${messageId}@${from.slice(from.lastIndexOf('@') + 1)}>` }),
    // Addresses as objects are not parsed: one address stays one.
    from: { name: 'Svc', address: from },
    to: { name: '', address: to },
    envelope: { from, to: [to] },
    subject,
    text,
    html,
    headers: { 'Auto-Submitted': 'auto-generated', 'X-Auto-Response-Suppress': 'All' },
    ...(attachment && {
      attachments: [
        {
          filename: attachment.Name,
          contentType: attachment.ContentType,
          content: Buffer.from(
            attachment.Data.buffer,
            attachment.Data.byteOffset,
            attachment.Data.byteLength,
          ),
        },
      ],
    }),
  };
}
