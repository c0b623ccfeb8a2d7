import { X509Certificate } from 'node:crypto';
import { type Finding, fault, warning, well } from './finding.ts';

/** A certificate of the settings, with its name in the report. */
export type NamedCertificate = { readonly name: string; readonly pem: string };

const subject = 'Certificates';
const dayMs = 86_400_000;
/** Warning period in days: enough time to get a new certificate before the expiry. */
const soonDays = 21;

/**
 * Checks that the configured certificates are valid, and for a while longer. Returns no result if none is
 * configured.
 */
export function lookAtCertificates(named: readonly NamedCertificate[], now: Date): readonly Finding[] {
  const read = named.map(({ name, pem }) => ({ name, certificate: new X509Certificate(pem) }));
  const wrong = read.flatMap(({ name, certificate }) => ofCertificate(name, certificate, now) ?? []);
  if (wrong.length > 0 || read.length === 0) return wrong;
  const first = Math.min(...read.map(({ certificate }) => certificate.validToDate.getTime()));
  return [well(subject, `Those that the settings name hold until ${dayOf(new Date(first))} at least.`)];
}

function ofCertificate(name: string, certificate: X509Certificate, now: Date): Finding | undefined {
  const { validFromDate, validToDate } = certificate;
  const holder = certificate.subject.replaceAll('\n', ', ');
  const which = holder === '' ? name : `${name} (${holder})`;
  if (validToDate < now)
    return fault(
      subject,
      `${which} has expired on ${dayOf(validToDate)}: what is under it is not trusted.`,
      'Put another one in its place and restart the service; if the day is wrong, look at the clock of this machine.',
    );
  if (validFromDate > now)
    return fault(
      subject,
      `${which} does not hold before ${dayOf(validFromDate)}: what is under it is not trusted.`,
      'Look at the clock of this machine.',
    );
  if (validToDate.getTime() - now.getTime() < soonDays * dayMs)
    return warning(
      subject,
      `${which} expires on ${dayOf(validToDate)}.`,
      'Put another one in its place and restart the service before that.',
    );
  return undefined;
}

const dayOf = (at: Date): string => at.toISOString().slice(0, 10);

/** Returns OpenSSL's reason for distrusting a server's certificate; undefined for any other error. */
export function whyNotTrusted(error: unknown): string | undefined {
  if (!(error instanceof Error) || !/certificate/i.test(error.message)) return undefined;
  // Node appends advice for the developer after the semicolon.
  return error.message.split(';')[0];
}
