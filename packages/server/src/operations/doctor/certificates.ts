import { X509Certificate } from 'node:crypto';
import { type Finding, fault, warning, well } from './finding.ts';

/** A certificate that a setting names, and by which words it is told. */
export type NamedCertificate = { readonly name: string; readonly pem: string };

const subject = 'Certificates';
const dayMs = 86_400_000;
/** Long enough to get another one before nothing works any more. */
const soonDays = 21;

/** Whether the certificates that the settings name hold now, and for a while. Nothing where none is named. */
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

/**
 * Why the certificate of a server is not trusted, in the words of OpenSSL; undefined where something else failed.
 */
export function whyNotTrusted(error: unknown): string | undefined {
  if (!(error instanceof Error) || !/certificate/i.test(error.message)) return undefined;
  // Behind it stands advice of Node to whoever starts it.
  return error.message.split(';')[0];
}
